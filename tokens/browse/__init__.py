"""What people see beside records: names of collections, marks and their reasons, and facets to narrow a query by.

Read for the browsable API alone: JSON costs no query more. No page is drawn here.
"""
