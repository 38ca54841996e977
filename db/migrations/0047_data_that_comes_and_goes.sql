-- the form in which searches compare texts, the same as lib/kernel/search-form.ts; no extension and no superuser
CREATE FUNCTION "public"."search_form"(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
  WHEN octet_length(value) = length(value)
    THEN replace(lower(value COLLATE pg_catalog."C"), '`', '''') COLLATE pg_catalog."default"
  -- the same of most names, with less work
  WHEN value ~ '^[ -_a-~\u0410-\u044f\u0401\u0451]*$'
    THEN lower(translate(value, U&'\0401\0451\0419\0439', U&'\0415\0435\0418\0438') COLLATE pg_catalog."und-x-icu")
      COLLATE pg_catalog."default"
  ELSE translate(
    lower(
      regexp_replace(normalize(replace(value, U&'\00B4', ''''), NFKD), '[\u00ad\u0300-\u036f]', '', 'g')
      COLLATE pg_catalog."und-x-icu"
    ),
    U&'`\02B9\02BB\02BC\02BD\2018\2019\201B\2032\00AB\00BB\201C\201D\201E\201F\2010\2012\2013\2014\2015\2212\03C2\00F8\0142\0111\0131',
    U&'''''''''''''''''''""""""------\03C3oldi'
  ) COLLATE pg_catalog."default"
END;--> statement-breakpoint
CREATE TYPE "public"."provider_mapper_absent" AS ENUM('keep', 'clear');--> statement-breakpoint
DROP INDEX "access_requests_search";--> statement-breakpoint
DROP INDEX "invitations_search";--> statement-breakpoint
DROP INDEX "contractors_name_search";--> statement-breakpoint
DROP INDEX "contractors_inn_search";--> statement-breakpoint
DROP INDEX "contractors_kpp_search";--> statement-breakpoint
DROP INDEX "contractors_external_code_search";--> statement-breakpoint
DROP INDEX "users_external_id_search";--> statement-breakpoint
DROP INDEX "users_search";--> statement-breakpoint
DROP INDEX "network_alias_ips_text";--> statement-breakpoint
DROP INDEX "network_aliases_text";--> statement-breakpoint
ALTER TABLE "oidc_clients" ADD COLUMN "allowed_origins" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "roles" ADD COLUMN "comment_en" text;--> statement-breakpoint
ALTER TABLE "user_settings" ADD COLUMN "chosen_time_zone" text;--> statement-breakpoint
ALTER TABLE "provider_mappers" ADD COLUMN "absent" "provider_mapper_absent" DEFAULT 'keep' NOT NULL;--> statement-breakpoint
CREATE INDEX "access_requests_waiting_first" ON "access_requests" USING btree (("status" = 'considered'),"created_at","id");--> statement-breakpoint
CREATE INDEX "access_requests_search" ON "access_requests" USING gin (search_form("name") gin_trgm_ops,search_form("inn") gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "invitations_search" ON "invitations" USING gin (search_form("email") gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "contractors_name_search" ON "contractors" USING gin (search_form("name") gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "contractors_inn_search" ON "contractors" USING gin (search_form("inn") gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "contractors_kpp_search" ON "contractors" USING gin (search_form("kpp") gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "contractors_external_code_search" ON "contractors" USING gin (search_form("external_code") gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "users_external_id_search" ON "users" USING gin (search_form("external_id") gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "users_search" ON "users" USING gin (search_form("fio") gin_trgm_ops,search_form("login") gin_trgm_ops,search_form("email") gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "network_alias_ips_text" ON "network_alias_ips" USING gin (search_form(text("ip")) gin_trgm_ops,search_form("comment") gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "network_aliases_text" ON "network_aliases" USING gin (search_form("name") gin_trgm_ops,search_form("comment") gin_trgm_ops);