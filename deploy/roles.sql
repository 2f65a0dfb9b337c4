-- The role of the web processes behind PgBouncer, which lets no options of a connection through: how PostgreSQL plans
-- for pages (core/db/planning.py), and for how long, is the role's. Run by psql as the owner of the tables, once.
\getenv password POSTGRES_PASSWORD
CREATE ROLE nft_web LOGIN PASSWORD :'password' IN ROLE nft;
ALTER ROLE nft_web SET statement_timeout = '15s';
ALTER ROLE nft_web SET jit = off;
ALTER ROLE nft_web SET enable_hashjoin = off;
ALTER ROLE nft_web SET enable_bitmapscan = off;
ALTER ROLE nft_web SET enable_seqscan = off;
ALTER ROLE nft_web SET max_parallel_workers_per_gather = 0;
ALTER ROLE nft_web SET random_page_cost = 1.1;
