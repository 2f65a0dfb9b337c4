"""What `settings.py` has of the API's frameworks: Django REST Framework, its errors, and drf-spectacular."""

REST_FRAMEWORK = {
    "DEFAULT_RENDERER_CLASSES": [
        "core.rest.rendering.PageRenderer",  # first: curl's `Accept: */*` gets JSON
        "rest_framework.renderers.BrowsableAPIRenderer",
    ],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "core.rest.negotiation.FormatNegotiation",
    "DEFAULT_PARSER_CLASSES": [],
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": [],
    "DEFAULT_THROTTLE_CLASSES": [],
    "UNAUTHENTICATED_USER": None,
    # Third-party JSON may hold lone surrogates, which UTF-8 cannot encode but an escape can.
    "UNICODE_JSON": False,
    "STRICT_JSON": True,
    "EXCEPTION_HANDLER": "drf_standardized_errors.handler.exception_handler",
    "DEFAULT_SCHEMA_CLASS": "core.rest.openapi.OperationSchema",
}
DRF_STANDARDIZED_ERRORS = {
    "EXCEPTION_HANDLER_CLASS": "core.rest.errors.ApiExceptionHandler",
    "ENABLE_IN_DEBUG_FOR_UNHANDLED_EXCEPTIONS": True,
}
SPECTACULAR_SETTINGS = {
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PERMISSIONS": [],
    "SERVE_AUTHENTICATION": [],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    # No validator: Swagger UI would send the document's address to a host of its own.
    "SWAGGER_UI_SETTINGS": {"deepLinking": False, "displayRequestDuration": True, "validatorUrl": None},
    "SORT_OPERATION_PARAMETERS": False,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "core.rest.document.document_headers",
        "nftsite.description.describe_service",
    ],
}
