-- Extensions
CREATE EXTENSION IF NOT EXISTS pg_trgm;--> statement-breakpoint
-- How searches compare texts: the form of lib/base/lists/search-form.ts
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
-- Types
CREATE TYPE "public"."access_request_status" AS ENUM('considered', 'approved', 'failure', 'duplicate', 'remove');--> statement-breakpoint
CREATE TYPE "public"."contact_agreement" AS ENUM('received', 'refused', 'notReceived');--> statement-breakpoint
CREATE TYPE "public"."contact_kind" AS ENUM('email', 'mobile');--> statement-breakpoint
CREATE TYPE "public"."dynamic_field_type" AS ENUM('users', 'contractors', 'personnel-actions');--> statement-breakpoint
CREATE TYPE "public"."field_type" AS ENUM('input', 'dropbox', 'combobox', 'toggle', 'date', 'textarea', 'picture', 'phone', 'email');--> statement-breakpoint
CREATE TYPE "public"."invitation_status" AS ENUM('active', 'deactivated', 'refusal', 'success', 'autoSuccess', 'deleted');--> statement-breakpoint
CREATE TYPE "public"."link_kind" AS ENUM('entry', 'recovery', 'registration', 'device');--> statement-breakpoint
CREATE TYPE "public"."seal_kind" AS ENUM('rows', 'retention');--> statement-breakpoint
CREATE TYPE "public"."integration_auth" AS ENUM('none', 'bearer', 'basic', 'header');--> statement-breakpoint
CREATE TYPE "public"."integration_status" AS ENUM('wait', 'success', 'error');--> statement-breakpoint
CREATE TYPE "public"."check_status" AS ENUM('up', 'down');--> statement-breakpoint
CREATE TYPE "public"."license_state" AS ENUM('valid', 'invalid', 'expired');--> statement-breakpoint
CREATE TYPE "public"."news_audience" AS ENUM('all', 'role', 'contractor', 'organization', 'domain');--> statement-breakpoint
CREATE TYPE "public"."news_status" AS ENUM('draft', 'published', 'withdrawn');--> statement-breakpoint
CREATE TYPE "public"."oidc_application_type" AS ENUM('web', 'native');--> statement-breakpoint
CREATE TYPE "public"."oidc_auth_method" AS ENUM('client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none');--> statement-breakpoint
CREATE TYPE "public"."oidc_client_type" AS ENUM('confidential', 'public');--> statement-breakpoint
CREATE TYPE "public"."oidc_key_state" AS ENUM('next', 'active', 'retired');--> statement-breakpoint
CREATE TYPE "public"."oidc_logout_status" AS ENUM('queued', 'sent', 'failed');--> statement-breakpoint
CREATE TYPE "public"."delivery_state" AS ENUM('waiting', 'delivered', 'dead', 'skipped');--> statement-breakpoint
CREATE TYPE "public"."digest_period" AS ENUM('daily', 'weekly');--> statement-breakpoint
CREATE TYPE "public"."history_type" AS ENUM('create', 'update', 'delete', 'login');--> statement-breakpoint
CREATE TYPE "public"."message_kind" AS ENUM('email', 'sms');--> statement-breakpoint
CREATE TYPE "public"."message_status" AS ENUM('queued', 'sent', 'failed', 'dropped');--> statement-breakpoint
CREATE TYPE "public"."gender" AS ENUM('man', 'woman');--> statement-breakpoint
CREATE TYPE "public"."identifier_kind" AS ENUM('login', 'email', 'mobile');--> statement-breakpoint
CREATE TYPE "public"."method_kind" AS ENUM('systemic', 'application');--> statement-breakpoint
CREATE TYPE "public"."provider_type" AS ENUM('keycloak', 'wapps', 'oidc');--> statement-breakpoint
CREATE TYPE "public"."role_type" AS ENUM('systemic', 'organizational', 'contractor');--> statement-breakpoint
CREATE TYPE "public"."access_list" AS ENUM('whitelist', 'blacklist');--> statement-breakpoint
CREATE TYPE "public"."application_type" AS ENUM('internal', 'external', 'draft', 'link', 'virtual');--> statement-breakpoint
CREATE TYPE "public"."document_format" AS ENUM('md', 'html');--> statement-breakpoint
CREATE TYPE "public"."document_type" AS ENUM('agreement', 'document');--> statement-breakpoint
CREATE TYPE "public"."domain_type" AS ENUM('draft', 'other');--> statement-breakpoint
CREATE TYPE "public"."provider_mapper_absent" AS ENUM('keep', 'clear');--> statement-breakpoint
CREATE TYPE "public"."provider_mapper_type" AS ENUM('users-base', 'users-access');--> statement-breakpoint
CREATE TYPE "public"."sync_period_amount" AS ENUM('minutes', 'hours', 'days');--> statement-breakpoint
CREATE TYPE "public"."run_row_state" AS ENUM('waiting', 'done', 'failed');--> statement-breakpoint
CREATE TYPE "public"."run_state" AS ENUM('running', 'stopped', 'done');--> statement-breakpoint
CREATE TYPE "public"."webhook_delivery_status" AS ENUM('wait', 'success', 'failure', 'dropped');--> statement-breakpoint
CREATE TYPE "public"."webhook_disabled_reason" AS ENUM('gone', 'failed');--> statement-breakpoint
-- Tables
CREATE TABLE "access_request_roles" (
	"request_id" uuid NOT NULL,
	"role_id" uuid NOT NULL,
	CONSTRAINT "access_request_roles_request_id_role_id_pk" PRIMARY KEY("request_id","role_id")
);--> statement-breakpoint
CREATE TABLE "access_requests" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"status" "access_request_status" DEFAULT 'considered' NOT NULL,
	"name" text NOT NULL,
	"inn" text NOT NULL,
	"kpp" text,
	"reason" text DEFAULT '' NOT NULL,
	"contractor_id" uuid,
	"decider_id" uuid,
	"domain_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone,
	"updated_at" timestamp with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL
);--> statement-breakpoint
CREATE TABLE "user_contacts" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"kind" "contact_kind" NOT NULL,
	"value" text NOT NULL,
	"verified_at" timestamp with time zone,
	"messengers" text[] DEFAULT '{}' NOT NULL,
	"agreement" "contact_agreement" DEFAULT 'notReceived' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "user_contacts_user_kind_value" UNIQUE("user_id","kind","value")
);--> statement-breakpoint
CREATE TABLE "agreement_reminders" (
	"document_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"user_id" uuid NOT NULL,
	"times" integer DEFAULT 1 NOT NULL,
	"reminded_at" timestamp with time zone NOT NULL,
	CONSTRAINT "agreement_reminders_document_id_version_user_id_pk" PRIMARY KEY("document_id","version","user_id")
);--> statement-breakpoint
CREATE TABLE "dynamic_field_subtypes" (
	"type" "dynamic_field_type" NOT NULL,
	"code" text NOT NULL,
	"tab_id" text NOT NULL,
	"title" text NOT NULL,
	"title_en" text,
	"active" boolean DEFAULT true NOT NULL,
	"systemic" boolean DEFAULT false NOT NULL,
	"order" integer DEFAULT 0 NOT NULL,
	"updated_at" timestamp with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL,
	CONSTRAINT "dynamic_field_subtypes_type_code" PRIMARY KEY("type","code")
);--> statement-breakpoint
CREATE TABLE "dynamic_field_tabs" (
	"id" text PRIMARY KEY NOT NULL,
	"type" "dynamic_field_type" NOT NULL,
	"title" text NOT NULL,
	"title_en" text,
	"view_type" text DEFAULT 'form' NOT NULL,
	"active" boolean DEFAULT true NOT NULL,
	"systemic" boolean DEFAULT false NOT NULL,
	"order" integer DEFAULT 0 NOT NULL,
	"updated_at" timestamp with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL
);--> statement-breakpoint
CREATE TABLE "dynamic_field_uniques" (
	"field_id" uuid NOT NULL,
	"digest" text NOT NULL,
	"user_id" uuid,
	"contractor_id" uuid,
	CONSTRAINT "dynamic_field_uniques_field_digest" PRIMARY KEY("field_id","digest"),
	CONSTRAINT "dynamic_field_uniques_owner" CHECK (num_nonnulls("dynamic_field_uniques"."user_id", "dynamic_field_uniques"."contractor_id") = 1)
);--> statement-breakpoint
CREATE TABLE "dynamic_fields" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"type" "dynamic_field_type" NOT NULL,
	"subtype" text NOT NULL,
	"code" text NOT NULL,
	"title" text NOT NULL,
	"title_en" text,
	"comment" text DEFAULT '' NOT NULL,
	"active" boolean DEFAULT true NOT NULL,
	"order" integer DEFAULT 0 NOT NULL,
	"field_type" "field_type" NOT NULL,
	"admin_required" boolean DEFAULT false NOT NULL,
	"admin_visible" boolean DEFAULT true NOT NULL,
	"admin_edit" boolean DEFAULT false NOT NULL,
	"profile_required" boolean DEFAULT false NOT NULL,
	"profile_visible" boolean DEFAULT false NOT NULL,
	"profile_edit" boolean DEFAULT false NOT NULL,
	"integration_required" boolean DEFAULT false NOT NULL,
	"unique" boolean DEFAULT false NOT NULL,
	"multiple" boolean DEFAULT false NOT NULL,
	"pattern" text,
	"min_length" integer,
	"max_length" integer,
	"latin" boolean DEFAULT false NOT NULL,
	"items" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"systemic" boolean DEFAULT false NOT NULL,
	"immutable" boolean DEFAULT false NOT NULL,
	"actions_access" integer DEFAULT 0 NOT NULL,
	"updated_at" timestamp with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL,
	CONSTRAINT "dynamic_fields_type_code" UNIQUE("type","code")
);--> statement-breakpoint
CREATE TABLE "personnel_action_types" (
	"code" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"name_en" text
);--> statement-breakpoint
CREATE TABLE "daily_counters" (
	"kind" text NOT NULL,
	"key" text NOT NULL,
	"day" date NOT NULL,
	"count" integer DEFAULT 0 NOT NULL,
	"blocked_until" timestamp with time zone,
	CONSTRAINT "daily_counters_kind_key_day_pk" PRIMARY KEY("kind","key","day")
);--> statement-breakpoint
CREATE TABLE "invitation_roles" (
	"invitation_id" uuid NOT NULL,
	"organization_id" uuid NOT NULL,
	"role_id" uuid NOT NULL,
	CONSTRAINT "invitation_roles_invitation_id_organization_id_role_id_pk" PRIMARY KEY("invitation_id","organization_id","role_id")
);--> statement-breakpoint
CREATE TABLE "invitations" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"status" "invitation_status" DEFAULT 'active' NOT NULL,
	"id_hash" text NOT NULL,
	"email" text NOT NULL,
	"contractor_id" uuid NOT NULL,
	"inviter_id" uuid,
	"user_id" uuid,
	"domain_id" uuid,
	"locale" text,
	"mobile" text,
	"mobile_verified_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"sent_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone,
	"updated_at" timestamp with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL,
	CONSTRAINT "invitations_id_hash" UNIQUE("id_hash")
);--> statement-breakpoint
CREATE TABLE "links" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"kind" "link_kind" NOT NULL,
	"id_hash" text NOT NULL,
	"user_id" uuid,
	"email" text,
	"data" jsonb,
	"mobile" text,
	"mobile_verified_at" timestamp with time zone,
	"domain_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone,
	"canceled_at" timestamp with time zone,
	CONSTRAINT "links_id_hash" UNIQUE("id_hash")
);--> statement-breakpoint
CREATE TABLE "password_failures" (
	"key" text PRIMARY KEY NOT NULL,
	"user_id" uuid,
	"count" integer NOT NULL,
	"last_at" timestamp with time zone NOT NULL
);--> statement-breakpoint
CREATE TABLE "password_history" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"password_hash" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"domain_id" uuid,
	"provider_id" uuid,
	"provider_subject" text,
	"provider_sid" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"last_access_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	"end_reason" text,
	"oidc_uid" text,
	"sealed_by" text,
	"ip" text NOT NULL,
	"user_agent" text DEFAULT '' NOT NULL,
	"browser" text DEFAULT '' NOT NULL,
	"system" text DEFAULT '' NOT NULL,
	"device_type" text NOT NULL,
	"device_hash" text,
	"display_size" text,
	"display_window_size" text,
	"display_zoom" text,
	"kept_as" text
);--> statement-breakpoint
CREATE TABLE "sign_in_attempts" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"token_hash" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"user_id" uuid,
	"domain_id" uuid,
	"state" jsonb NOT NULL,
	"ip" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone,
	CONSTRAINT "sign_in_attempts_token" UNIQUE("token_hash")
);--> statement-breakpoint
CREATE TABLE "wrong_codes" (
	"key" text PRIMARY KEY NOT NULL,
	"entries" timestamp with time zone[] NOT NULL,
	"last_at" timestamp with time zone NOT NULL
);--> statement-breakpoint
CREATE TABLE "history_seals" (
	"seq" bigint PRIMARY KEY NOT NULL,
	"sealed_at" timestamp with time zone NOT NULL,
	"kind" "seal_kind" NOT NULL,
	"before" timestamp with time zone,
	"count" integer DEFAULT 0 NOT NULL,
	"newest" bigint,
	"foreign_rows" bigint[] DEFAULT '{}' NOT NULL,
	"lost_rows" bigint[] DEFAULT '{}' NOT NULL,
	"root" text NOT NULL,
	"digest" text NOT NULL,
	"mac" text NOT NULL,
	"ids" bigint[],
	"moments" bigint[],
	"salts" uuid[],
	"digests" text[],
	"oldest" bigint
);--> statement-breakpoint
CREATE TABLE "history_unsealed" (
	"id" bigint PRIMARY KEY NOT NULL,
	"until" bigint NOT NULL,
	"inserted_by" text
);--> statement-breakpoint
CREATE TABLE "integration_exchanges" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"key" text NOT NULL,
	"status" "integration_status" DEFAULT 'wait' NOT NULL,
	"run_id" uuid,
	"method" text NOT NULL,
	"url" text NOT NULL,
	"http_status" integer,
	"duration" integer,
	"fault" text,
	"request" text NOT NULL,
	"response" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL
);--> statement-breakpoint
CREATE TABLE "integration_syncs" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"key" text NOT NULL,
	"enabled" boolean DEFAULT false NOT NULL,
	"url" text DEFAULT '' NOT NULL,
	"auth" "integration_auth" DEFAULT 'none' NOT NULL,
	"auth_name" text DEFAULT '' NOT NULL,
	"secret" text,
	"period_unit" integer DEFAULT 0 NOT NULL,
	"period_amount" "sync_period_amount" DEFAULT 'hours' NOT NULL,
	"page_size" integer DEFAULT 100 NOT NULL,
	"actor_id" uuid,
	"entered_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL,
	CONSTRAINT "integration_syncs_key" UNIQUE("key")
);--> statement-breakpoint
CREATE TABLE "found_versions" (
	"key" text PRIMARY KEY NOT NULL,
	"application_id" uuid,
	"version" text,
	"error" text,
	"checked_at" timestamp with time zone NOT NULL
);--> statement-breakpoint
CREATE TABLE "licenses" (
	"id" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"key" text NOT NULL,
	"domain" text NOT NULL,
	"owner" text NOT NULL,
	"expires_at" timestamp with time zone,
	"sessions" integer,
	"state" "license_state" NOT NULL,
	"checked_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL,
	CONSTRAINT "licenses_one" CHECK ("licenses"."id")
);--> statement-breakpoint
CREATE TABLE "monitoring_checks" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"key" text NOT NULL,
	"kind" text NOT NULL,
	"application_id" uuid,
	"name" text DEFAULT '' NOT NULL,
	"name_en" text,
	"description" text DEFAULT '' NOT NULL,
	"description_en" text,
	"critical" integer NOT NULL,
	"status" "check_status" DEFAULT 'up' NOT NULL,
	"connected" boolean DEFAULT true NOT NULL,
	"doubts" integer DEFAULT 0 NOT NULL,
	"counted_at" timestamp with time zone,
	"stuck_count" integer DEFAULT 0 NOT NULL,
	"checked_at" timestamp with time zone,
	"latency" integer,
	"error_at" timestamp with time zone,
	"last_error" text,
	"changed_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "monitoring_checks_key" UNIQUE("key")
);--> statement-breakpoint
CREATE TABLE "monitoring_slots" (
	"check_id" uuid NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"checks" integer NOT NULL,
	"failures" integer NOT NULL,
	"stuck" integer NOT NULL,
	"total" bigint NOT NULL,
	"worst" integer NOT NULL,
	CONSTRAINT "monitoring_slots_check_id_at_pk" PRIMARY KEY("check_id","at")
);--> statement-breakpoint
CREATE TABLE "monitoring_turns" (
	"id" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"started_at" timestamp with time zone,
	"done_at" timestamp with time zone,
	"next_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "monitoring_turns_one" CHECK ("monitoring_turns"."id")
);--> statement-breakpoint
CREATE TABLE "news" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"status" "news_status" DEFAULT 'draft' NOT NULL,
	"audience" "news_audience" DEFAULT 'all' NOT NULL,
	"audience_id" uuid,
	"published_at" timestamp with time zone,
	"told_up_to" uuid,
	"told_at" timestamp with time zone,
	"reached" integer DEFAULT 0 NOT NULL,
	"mailed" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL
);--> statement-breakpoint
CREATE TABLE "news_locales" (
	"news_id" uuid NOT NULL,
	"locale_id" uuid NOT NULL,
	"title" text NOT NULL,
	"text" text NOT NULL,
	CONSTRAINT "news_locales_news_id_locale_id_pk" PRIMARY KEY("news_id","locale_id")
);--> statement-breakpoint
CREATE TABLE "notices" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"values" jsonb NOT NULL,
	"cause" text NOT NULL,
	"date" timestamp with time zone NOT NULL,
	"read_at" timestamp with time zone,
	CONSTRAINT "notices_cause" UNIQUE("user_id","cause")
);--> statement-breakpoint
CREATE TABLE "application_service_methods" (
	"application_id" uuid NOT NULL,
	"method_id" uuid NOT NULL,
	CONSTRAINT "application_service_methods_application_id_method_id_pk" PRIMARY KEY("application_id","method_id")
);--> statement-breakpoint
CREATE TABLE "oidc_algorithm_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"state" "oidc_key_state" NOT NULL,
	"jwk" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"activated_at" timestamp with time zone,
	"retired_at" timestamp with time zone,
	"alg" text NOT NULL
);--> statement-breakpoint
CREATE TABLE "oidc_answers" (
	"id_hash" text PRIMARY KEY NOT NULL,
	"answer" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);--> statement-breakpoint
CREATE TABLE "oidc_clients" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"application_id" uuid NOT NULL,
	"client_id" text NOT NULL,
	"name" text NOT NULL,
	"type" "oidc_client_type" NOT NULL,
	"secrets" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"auth_method" "oidc_auth_method" DEFAULT 'client_secret_basic' NOT NULL,
	"jwks" jsonb,
	"jwks_uri" text,
	"redirect_uris" text[] DEFAULT '{}' NOT NULL,
	"post_logout_redirect_uris" text[] DEFAULT '{}' NOT NULL,
	"allowed_origins" text[] DEFAULT '{}' NOT NULL,
	"grant_types" text[] NOT NULL,
	"access_token_lifespan" integer,
	"refresh_token_lifespan" integer,
	"backchannel_logout_uri" text,
	"application_type" "oidc_application_type" DEFAULT 'web' NOT NULL,
	"pkce_required" boolean DEFAULT true NOT NULL,
	"id_token_alg" text DEFAULT 'RS256' NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL,
	CONSTRAINT "oidc_clients_client_id" UNIQUE("client_id")
);--> statement-breakpoint
CREATE TABLE "oidc_consents" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"client_id" uuid NOT NULL,
	"scopes" text[] NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL,
	CONSTRAINT "oidc_consents_user_client" UNIQUE("user_id","client_id")
);--> statement-breakpoint
CREATE TABLE "oidc_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"state" "oidc_key_state" NOT NULL,
	"jwk" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"activated_at" timestamp with time zone,
	"retired_at" timestamp with time zone
);--> statement-breakpoint
CREATE TABLE "oidc_logouts" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"client_id" text NOT NULL,
	"account_id" text NOT NULL,
	"sid" text NOT NULL,
	"status" "oidc_logout_status" DEFAULT 'queued' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"error" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone
);--> statement-breakpoint
CREATE TABLE "oidc_records" (
	"id_hash" text PRIMARY KEY NOT NULL,
	"model" text NOT NULL,
	"payload" text NOT NULL,
	"uid" text,
	"grant_id" text,
	"session_uid" text,
	"account_id" text,
	"client_id" text,
	"consumed_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);--> statement-breakpoint
CREATE TABLE "address_refusals" (
	"hour" timestamp with time zone PRIMARY KEY NOT NULL,
	"noted" integer DEFAULT 0 NOT NULL,
	"others" bigint DEFAULT 0 NOT NULL,
	"told" boolean DEFAULT false NOT NULL
);--> statement-breakpoint
CREATE TABLE "digest_items" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "digest_items_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" uuid NOT NULL,
	"period" "digest_period" NOT NULL,
	"host" text NOT NULL,
	"title" text NOT NULL,
	"text" text DEFAULT '' NOT NULL,
	"link" text DEFAULT '' NOT NULL,
	"date" timestamp with time zone NOT NULL,
	"cause" text,
	"expires_at" timestamp with time zone,
	CONSTRAINT "digest_items_cause" UNIQUE("user_id","cause")
);--> statement-breakpoint
CREATE TABLE "digests" (
	"user_id" uuid NOT NULL,
	"period" "digest_period" NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	CONSTRAINT "digests_user_id_period_due_at_pk" PRIMARY KEY("user_id","period","due_at")
);--> statement-breakpoint
CREATE TABLE "history" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "history_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"date" timestamp with time zone DEFAULT now() NOT NULL,
	"type" "history_type" NOT NULL,
	"entity" text NOT NULL,
	"entity_id" text NOT NULL,
	"subtype" text,
	"field" text,
	"previous" jsonb,
	"current" jsonb,
	"ip" text,
	"changer_id" uuid,
	"request_id" text
);--> statement-breakpoint
CREATE TABLE "housekeeping_steps" (
	"name" text PRIMARY KEY NOT NULL,
	"done_at" timestamp with time zone,
	"failures" bigint DEFAULT 0 NOT NULL,
	"failed_at" timestamp with time zone
);--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"caller" text NOT NULL,
	"key" text NOT NULL,
	"request" text NOT NULL,
	"status" integer,
	"answer" text,
	"committed_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "idempotency_keys_caller_key_pk" PRIMARY KEY("caller","key")
);--> statement-breakpoint
CREATE TABLE "lasting_keys" (
	"purpose" text PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);--> statement-breakpoint
CREATE TABLE "messages" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"kind" "message_kind" NOT NULL,
	"template" text NOT NULL,
	"recipient" text NOT NULL,
	"user_id" uuid,
	"locale" text NOT NULL,
	"content" text NOT NULL,
	"counter" jsonb,
	"status" "message_status" DEFAULT 'queued' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"error" text,
	"expires_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone
);--> statement-breakpoint
CREATE TABLE "outbox_deliveries" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"event_id" bigint NOT NULL,
	"handler" text NOT NULL,
	"entity" text NOT NULL,
	"entity_id" text NOT NULL,
	"state" "delivery_state" DEFAULT 'waiting' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"try_at" timestamp with time zone DEFAULT now() NOT NULL,
	"error" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone
);--> statement-breakpoint
CREATE TABLE "outbox_events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "outbox_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"topic" text NOT NULL,
	"type" text,
	"entity" text NOT NULL,
	"entity_id" text NOT NULL,
	"payload" jsonb NOT NULL,
	"changer_id" uuid,
	"request_id" text NOT NULL,
	"date" timestamp with time zone NOT NULL
);--> statement-breakpoint
CREATE TABLE "sealing_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"marks" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"sealed_at" timestamp with time zone,
	"cleared_at" timestamp with time zone
);--> statement-breakpoint
CREATE TABLE "authentication_schema_roles" (
	"schema_id" uuid NOT NULL,
	"role_id" uuid NOT NULL,
	CONSTRAINT "authentication_schema_roles_schema_id_role_id_pk" PRIMARY KEY("schema_id","role_id")
);--> statement-breakpoint
CREATE TABLE "contractor_organizations" (
	"contractor_id" uuid NOT NULL,
	"organization_id" uuid NOT NULL,
	CONSTRAINT "contractor_organizations_contractor_id_organization_id_pk" PRIMARY KEY("contractor_id","organization_id")
);--> statement-breakpoint
CREATE TABLE "contractors" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"inn" text,
	"kpp" text,
	"ogrn" text,
	"okpo" text,
	"registration_number" text,
	"tax_number" text,
	"external_code" text,
	"enabled" boolean DEFAULT true NOT NULL,
	"values" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL,
	CONSTRAINT "contractors_external_code" UNIQUE("external_code")
);--> statement-breakpoint
CREATE TABLE "methods" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"code" text NOT NULL,
	"name" text NOT NULL,
	"name_en" text,
	"kind" "method_kind" NOT NULL,
	"application_id" uuid,
	CONSTRAINT "methods_application_code" UNIQUE NULLS NOT DISTINCT("application_id","code")
);--> statement-breakpoint
CREATE TABLE "organizations" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"code" text,
	"name" text NOT NULL,
	"inn" text,
	"kpp" text,
	"ogrn" text,
	"okpo" text,
	"registration_number" text,
	"tax_number" text,
	"external_code" text,
	"name_en" text,
	"enabled" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL,
	CONSTRAINT "organizations_code" UNIQUE("code")
);--> statement-breakpoint
CREATE TABLE "provider_domains" (
	"provider_id" uuid NOT NULL,
	"domain_id" uuid NOT NULL,
	CONSTRAINT "provider_domains_provider_id_domain_id_pk" PRIMARY KEY("provider_id","domain_id")
);--> statement-breakpoint
CREATE TABLE "providers" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"type" "provider_type" NOT NULL,
	"enabled" boolean DEFAULT false NOT NULL,
	"name" text NOT NULL,
	"url" text NOT NULL,
	"realm" text,
	"client_id" text NOT NULL,
	"client_secret" text NOT NULL,
	"scopes" text[] DEFAULT '{}' NOT NULL,
	"email_domains" text[] DEFAULT '{}' NOT NULL,
	"entered_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL,
	CONSTRAINT "providers_name" UNIQUE("name")
);--> statement-breakpoint
CREATE TABLE "role_methods" (
	"role_id" uuid NOT NULL,
	"method_id" uuid NOT NULL,
	CONSTRAINT "role_methods_role_id_method_id_pk" PRIMARY KEY("role_id","method_id")
);--> statement-breakpoint
CREATE TABLE "roles" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"code" text,
	"name" text NOT NULL,
	"name_en" text,
	"comment" text DEFAULT '' NOT NULL,
	"comment_en" text,
	"role_type" "role_type" NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"immutable" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL,
	CONSTRAINT "roles_code" UNIQUE("code")
);--> statement-breakpoint
CREATE TABLE "user_agreement_refusals" (
	"user_id" uuid NOT NULL,
	"document_id" uuid NOT NULL,
	"refused_at" timestamp with time zone NOT NULL,
	CONSTRAINT "user_agreement_refusals_user_id_document_id_pk" PRIMARY KEY("user_id","document_id")
);--> statement-breakpoint
CREATE TABLE "user_agreements" (
	"user_id" uuid NOT NULL,
	"document_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"agreed_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ip" text NOT NULL,
	CONSTRAINT "user_agreements_user_id_document_id_version_pk" PRIMARY KEY("user_id","document_id","version")
);--> statement-breakpoint
CREATE TABLE "user_contractor_roles" (
	"user_id" uuid NOT NULL,
	"contractor_id" uuid NOT NULL,
	"organization_id" uuid NOT NULL,
	"role_id" uuid NOT NULL,
	CONSTRAINT "user_contractor_roles_user_id_contractor_id_organization_id_role_id_pk" PRIMARY KEY("user_id","contractor_id","organization_id","role_id")
);--> statement-breakpoint
CREATE TABLE "user_contractors" (
	"user_id" uuid NOT NULL,
	"contractor_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"roles_held" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "user_contractors_user_id_contractor_id_pk" PRIMARY KEY("user_id","contractor_id")
);--> statement-breakpoint
CREATE TABLE "user_identifiers" (
	"kind" "identifier_kind" NOT NULL,
	"value" text NOT NULL,
	"user_id" uuid NOT NULL,
	CONSTRAINT "user_identifiers_kind_value" PRIMARY KEY("kind","value")
);--> statement-breakpoint
CREATE TABLE "user_roles" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"role_id" uuid NOT NULL,
	"organization_id" uuid,
	CONSTRAINT "user_roles_user_role_organization" UNIQUE NULLS NOT DISTINCT("user_id","role_id","organization_id")
);--> statement-breakpoint
CREATE TABLE "user_settings" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"lang" text,
	"nav_mini" boolean,
	"pagination" integer,
	"cookie" boolean,
	"time_zone" text,
	"chosen_time_zone" text,
	"columns" jsonb
);--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"login" text NOT NULL,
	"email" text,
	"email_verified_at" timestamp with time zone,
	"mobile" text,
	"mobile_verified_at" timestamp with time zone,
	"last_name" text DEFAULT '' NOT NULL,
	"first_name" text DEFAULT '' NOT NULL,
	"middle_name" text DEFAULT '' NOT NULL,
	"fio" text DEFAULT '' NOT NULL,
	"birth_date" date,
	"gender" "gender",
	"locale" text,
	"comment" text DEFAULT '' NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"temporary" boolean DEFAULT false NOT NULL,
	"is_editable" boolean DEFAULT true NOT NULL,
	"password_hash" text,
	"password_changed_at" timestamp with time zone,
	"password_change_required" boolean DEFAULT false NOT NULL,
	"authentication_schema_id" uuid,
	"prepared_by" uuid,
	"prepared_since" timestamp with time zone,
	"mobile_entered_by" uuid,
	"schema_entered_by" uuid,
	"provider_id" uuid,
	"external_id" text,
	"disabled_by_provider" boolean DEFAULT false NOT NULL,
	"values" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL,
	CONSTRAINT "users_provider_external_id" UNIQUE("provider_id","external_id")
);--> statement-breakpoint
CREATE TABLE "field_pictures" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"code" text NOT NULL,
	"user_id" uuid,
	"contractor_id" uuid,
	"small" "bytea" NOT NULL,
	"large" "bytea" NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "field_pictures_user" UNIQUE("user_id","code"),
	CONSTRAINT "field_pictures_contractor" UNIQUE("contractor_id","code"),
	CONSTRAINT "field_pictures_owner" CHECK (num_nonnulls("field_pictures"."user_id", "field_pictures"."contractor_id") = 1)
);--> statement-breakpoint
CREATE TABLE "user_pictures" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"small" "bytea" NOT NULL,
	"large" "bytea" NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "user_pictures_user" UNIQUE("user_id")
);--> statement-breakpoint
CREATE TABLE "access_list_entries" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"list" "access_list" NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"ip" "cidr",
	"alias_id" uuid,
	"date_from" timestamp with time zone,
	"date_to" timestamp with time zone,
	"comment" text DEFAULT '' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL,
	CONSTRAINT "access_list_entries_ip_or_alias" CHECK (("access_list_entries"."ip" is null) <> ("access_list_entries"."alias_id" is null))
);--> statement-breakpoint
CREATE TABLE "application_domains" (
	"application_id" uuid NOT NULL,
	"domain_id" uuid NOT NULL,
	CONSTRAINT "application_domains_application_id_domain_id_pk" PRIMARY KEY("application_id","domain_id")
);--> statement-breakpoint
CREATE TABLE "applications" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"type" "application_type" NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"code" text NOT NULL,
	"name" text NOT NULL,
	"name_en" text,
	"version" text,
	"url" text,
	"description" text DEFAULT '' NOT NULL,
	"description_en" text,
	"swagger_url" text,
	"help_url" text,
	"compodoc_url" text,
	"tech_url" text,
	"menu_visible" boolean DEFAULT false NOT NULL,
	"order" integer DEFAULT 0 NOT NULL,
	"ip" "cidr"[] DEFAULT '{}' NOT NULL,
	"parent_id" uuid,
	"icon_id" uuid,
	"immutable" boolean DEFAULT false NOT NULL,
	"actions_access" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL,
	CONSTRAINT "applications_code" UNIQUE("code")
);--> statement-breakpoint
CREATE TABLE "authentication_schemas" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"active" boolean DEFAULT true NOT NULL,
	"base" boolean DEFAULT false NOT NULL,
	"code" text NOT NULL,
	"name" text NOT NULL,
	"name_en" text,
	"comment" text DEFAULT '' NOT NULL,
	"first_factor" text[] NOT NULL,
	"second_factor" text[] DEFAULT '{}' NOT NULL,
	"priority" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL,
	CONSTRAINT "authentication_schemas_code" UNIQUE("code")
);--> statement-breakpoint
CREATE TABLE "banners" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"visible" boolean DEFAULT true NOT NULL,
	"title" text NOT NULL,
	"code" text NOT NULL,
	"text" text DEFAULT '' NOT NULL,
	"link" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL,
	CONSTRAINT "banners_code" UNIQUE("code")
);--> statement-breakpoint
CREATE TABLE "device_types" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"name_en" text,
	"code" text NOT NULL,
	"immutable" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL,
	CONSTRAINT "device_types_code" UNIQUE("code")
);--> statement-breakpoint
CREATE TABLE "document_locales" (
	"document_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"locale_id" uuid NOT NULL,
	"name" text NOT NULL,
	"link_name" text NOT NULL,
	"content" text NOT NULL,
	"html" text,
	CONSTRAINT "document_locales_document_id_version_locale_id_pk" PRIMARY KEY("document_id","version","locale_id")
);--> statement-breakpoint
CREATE TABLE "documents" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"code" text NOT NULL,
	"type" "document_type" NOT NULL,
	"admin_visible" boolean DEFAULT true NOT NULL,
	"format" "document_format" DEFAULT 'md' NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"version_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL,
	CONSTRAINT "documents_code" UNIQUE("code")
);--> statement-breakpoint
CREATE TABLE "domain_agreements" (
	"domain_id" uuid NOT NULL,
	"document_id" uuid NOT NULL,
	"menu_visible" boolean DEFAULT false NOT NULL,
	"footer_visible" boolean DEFAULT false NOT NULL,
	"login_required" boolean DEFAULT false NOT NULL,
	"profile_visible" boolean DEFAULT false NOT NULL,
	"order" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "domain_agreements_domain_id_document_id_pk" PRIMARY KEY("domain_id","document_id")
);--> statement-breakpoint
CREATE TABLE "domain_aliases" (
	"host" text PRIMARY KEY NOT NULL,
	"domain_id" uuid NOT NULL,
	"order" integer DEFAULT 0 NOT NULL
);--> statement-breakpoint
CREATE TABLE "domain_documents" (
	"domain_id" uuid NOT NULL,
	"document_id" uuid NOT NULL,
	"order" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "domain_documents_domain_id_document_id_pk" PRIMARY KEY("domain_id","document_id")
);--> statement-breakpoint
CREATE TABLE "domain_locales" (
	"domain_id" uuid NOT NULL,
	"locale_id" uuid NOT NULL,
	"order" integer DEFAULT 0 NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"settings" jsonb NOT NULL,
	CONSTRAINT "domain_locales_domain_id_locale_id_pk" PRIMARY KEY("domain_id","locale_id")
);--> statement-breakpoint
CREATE TABLE "domain_texts" (
	"domain_id" uuid NOT NULL,
	"locale_id" uuid NOT NULL,
	"key" text NOT NULL,
	"text" text NOT NULL,
	"updated_at" timestamp with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL,
	CONSTRAINT "domain_texts_domain_id_locale_id_key_pk" PRIMARY KEY("domain_id","locale_id","key")
);--> statement-breakpoint
CREATE TABLE "domains" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"type" "domain_type" DEFAULT 'other' NOT NULL,
	"base" boolean DEFAULT false NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"comment" text DEFAULT '' NOT NULL,
	"image_code" text DEFAULT 'default' NOT NULL,
	"style_template" text DEFAULT 'default' NOT NULL,
	"public_docs_url" text,
	"base_settings" boolean DEFAULT false NOT NULL,
	"cookie" boolean DEFAULT true NOT NULL,
	"time_zone" text,
	"devices_id_attributes" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"logo_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL
);--> statement-breakpoint
CREATE TABLE "draft_sources" (
	"draft_id" uuid NOT NULL,
	"domain_id" uuid NOT NULL,
	"order" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "draft_sources_draft_id_domain_id_pk" PRIMARY KEY("draft_id","domain_id")
);--> statement-breakpoint
CREATE TABLE "locale_texts" (
	"locale_id" uuid NOT NULL,
	"key" text NOT NULL,
	"text" text NOT NULL,
	"updated_at" timestamp with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL,
	CONSTRAINT "locale_texts_locale_id_key_pk" PRIMARY KEY("locale_id","key")
);--> statement-breakpoint
CREATE TABLE "locales" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"code" text NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"immutable" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL,
	CONSTRAINT "locales_code" UNIQUE("code")
);--> statement-breakpoint
CREATE TABLE "network_alias_ips" (
	"alias_id" uuid NOT NULL,
	"ip" "cidr" NOT NULL,
	"comment" text DEFAULT '' NOT NULL,
	"order" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "network_alias_ips_alias_id_ip_pk" PRIMARY KEY("alias_id","ip")
);--> statement-breakpoint
CREATE TABLE "network_aliases" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"comment" text DEFAULT '' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL,
	CONSTRAINT "network_aliases_name" UNIQUE("name")
);--> statement-breakpoint
CREATE TABLE "platform_pictures" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"type" text NOT NULL,
	"content" "bytea" NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);--> statement-breakpoint
CREATE TABLE "settings" (
	"id" text PRIMARY KEY NOT NULL,
	"value" jsonb NOT NULL,
	"updated_at" timestamp with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL
);--> statement-breakpoint
CREATE TABLE "provider_calls" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"provider_id" uuid NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"method" text NOT NULL,
	"path" text NOT NULL,
	"status" integer,
	"duration" integer NOT NULL,
	"fault" text
);--> statement-breakpoint
CREATE TABLE "provider_links" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"provider_id" uuid NOT NULL,
	"external_id" text NOT NULL,
	"name" text DEFAULT '' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "provider_links_external" UNIQUE("provider_id","external_id"),
	CONSTRAINT "provider_links_user" UNIQUE("user_id","provider_id")
);--> statement-breakpoint
CREATE TABLE "provider_mappers" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"sync_id" uuid NOT NULL,
	"type" "provider_mapper_type" NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"name" text NOT NULL,
	"before" text DEFAULT '' NOT NULL,
	"after" text NOT NULL,
	"custom_attributes" boolean DEFAULT false NOT NULL,
	"absent" "provider_mapper_absent" DEFAULT 'keep' NOT NULL,
	"attributes" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL,
	CONSTRAINT "provider_mappers_name" UNIQUE("sync_id","name")
);--> statement-breakpoint
CREATE TABLE "provider_syncs" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"provider_id" uuid NOT NULL,
	"type" text DEFAULT 'users' NOT NULL,
	"enabled" boolean DEFAULT false NOT NULL,
	"period_unit" integer DEFAULT 0 NOT NULL,
	"period_amount" "sync_period_amount" DEFAULT 'hours' NOT NULL,
	"sync_limit" integer DEFAULT 50 NOT NULL,
	"actor_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL,
	CONSTRAINT "provider_syncs_provider_type" UNIQUE("provider_id","type")
);--> statement-breakpoint
CREATE TABLE "run_rows" (
	"run_id" uuid NOT NULL,
	"row" integer NOT NULL,
	"state" "run_row_state" DEFAULT 'waiting' NOT NULL,
	"title" text NOT NULL,
	"input" jsonb NOT NULL,
	"fault" text,
	"params" jsonb,
	"tries" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "run_rows_run_id_row_pk" PRIMARY KEY("run_id","row")
);--> statement-breakpoint
CREATE TABLE "runs" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"kind" text NOT NULL,
	"user_id" uuid,
	"client_id" text,
	"subject" text,
	"state" "run_state" DEFAULT 'running' NOT NULL,
	"options" jsonb NOT NULL,
	"total" integer NOT NULL,
	"done" integer NOT NULL,
	"failed" integer NOT NULL,
	"worked" integer DEFAULT 0 NOT NULL,
	"resumed_at" timestamp with time zone DEFAULT now() NOT NULL,
	"fault" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone,
	"updated_at" timestamp with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL
);--> statement-breakpoint
CREATE TABLE "sign_in_log" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"user_id" uuid,
	"id_attribute" text,
	"digest" text,
	"mask" text,
	"flows" text[] NOT NULL,
	"cause" text,
	"reason" text,
	"provider_id" uuid,
	"application_id" uuid,
	"ip" text NOT NULL,
	"browser" text NOT NULL,
	"system" text NOT NULL,
	"device_type" text NOT NULL
);--> statement-breakpoint
CREATE TABLE "notify_methods" (
	"id" text PRIMARY KEY NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"updated_at" timestamp with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL
);--> statement-breakpoint
CREATE TABLE "subscriptions" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"choices" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"updated_at" timestamp with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL
);--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"webhook_id" uuid NOT NULL,
	"delivery_id" uuid,
	"type" text NOT NULL,
	"status" "webhook_delivery_status" DEFAULT 'wait' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"http_status" integer,
	"duration" integer,
	"fault" text,
	"next_at" timestamp with time zone,
	"request" text NOT NULL,
	"response" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL
);--> statement-breakpoint
CREATE TABLE "webhook_states" (
	"webhook_id" uuid PRIMARY KEY NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"failing_since" timestamp with time zone,
	"held_until" timestamp with time zone
);--> statement-breakpoint
CREATE TABLE "webhooks" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"application_id" uuid NOT NULL,
	"name" text NOT NULL,
	"url" text NOT NULL,
	"types" text[] NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"disabled_reason" "webhook_disabled_reason",
	"secrets" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL
);--> statement-breakpoint
-- References
ALTER TABLE "access_request_roles" ADD CONSTRAINT "access_request_roles_request_id_access_requests_id_fk" FOREIGN KEY ("request_id") REFERENCES "public"."access_requests"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "access_request_roles" ADD CONSTRAINT "access_request_roles_role_id_roles_id_fk" FOREIGN KEY ("role_id") REFERENCES "public"."roles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "access_requests" ADD CONSTRAINT "access_requests_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "access_requests" ADD CONSTRAINT "access_requests_contractor_id_contractors_id_fk" FOREIGN KEY ("contractor_id") REFERENCES "public"."contractors"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "access_requests" ADD CONSTRAINT "access_requests_decider_id_users_id_fk" FOREIGN KEY ("decider_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "access_requests" ADD CONSTRAINT "access_requests_domain_id_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."domains"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_contacts" ADD CONSTRAINT "user_contacts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agreement_reminders" ADD CONSTRAINT "agreement_reminders_document_id_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."documents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agreement_reminders" ADD CONSTRAINT "agreement_reminders_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dynamic_field_subtypes" ADD CONSTRAINT "dynamic_field_subtypes_tab_id_dynamic_field_tabs_id_fk" FOREIGN KEY ("tab_id") REFERENCES "public"."dynamic_field_tabs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dynamic_field_uniques" ADD CONSTRAINT "dynamic_field_uniques_field_id_dynamic_fields_id_fk" FOREIGN KEY ("field_id") REFERENCES "public"."dynamic_fields"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dynamic_field_uniques" ADD CONSTRAINT "dynamic_field_uniques_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dynamic_field_uniques" ADD CONSTRAINT "dynamic_field_uniques_contractor_id_contractors_id_fk" FOREIGN KEY ("contractor_id") REFERENCES "public"."contractors"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dynamic_fields" ADD CONSTRAINT "dynamic_fields_subtype" FOREIGN KEY ("type","subtype") REFERENCES "public"."dynamic_field_subtypes"("type","code") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitation_roles" ADD CONSTRAINT "invitation_roles_invitation_id_invitations_id_fk" FOREIGN KEY ("invitation_id") REFERENCES "public"."invitations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitation_roles" ADD CONSTRAINT "invitation_roles_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitation_roles" ADD CONSTRAINT "invitation_roles_role_id_roles_id_fk" FOREIGN KEY ("role_id") REFERENCES "public"."roles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_contractor_id_contractors_id_fk" FOREIGN KEY ("contractor_id") REFERENCES "public"."contractors"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_inviter_id_users_id_fk" FOREIGN KEY ("inviter_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_domain_id_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."domains"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "links" ADD CONSTRAINT "links_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "links" ADD CONSTRAINT "links_domain_id_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."domains"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "password_history" ADD CONSTRAINT "password_history_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_domain_id_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."domains"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_provider_id_providers_id_fk" FOREIGN KEY ("provider_id") REFERENCES "public"."providers"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_in_attempts" ADD CONSTRAINT "sign_in_attempts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_in_attempts" ADD CONSTRAINT "sign_in_attempts_domain_id_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."domains"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "integration_syncs" ADD CONSTRAINT "integration_syncs_actor_id_users_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "found_versions" ADD CONSTRAINT "found_versions_application_id_applications_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."applications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "monitoring_checks" ADD CONSTRAINT "monitoring_checks_application_id_applications_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."applications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "monitoring_slots" ADD CONSTRAINT "monitoring_slots_check_id_monitoring_checks_id_fk" FOREIGN KEY ("check_id") REFERENCES "public"."monitoring_checks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "news_locales" ADD CONSTRAINT "news_locales_news_id_news_id_fk" FOREIGN KEY ("news_id") REFERENCES "public"."news"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "news_locales" ADD CONSTRAINT "news_locales_locale_id_locales_id_fk" FOREIGN KEY ("locale_id") REFERENCES "public"."locales"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notices" ADD CONSTRAINT "notices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "application_service_methods" ADD CONSTRAINT "application_service_methods_application_id_applications_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."applications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "application_service_methods" ADD CONSTRAINT "application_service_methods_method_id_methods_id_fk" FOREIGN KEY ("method_id") REFERENCES "public"."methods"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oidc_clients" ADD CONSTRAINT "oidc_clients_application_id_applications_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."applications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oidc_consents" ADD CONSTRAINT "oidc_consents_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oidc_consents" ADD CONSTRAINT "oidc_consents_client_id_oidc_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."oidc_clients"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "digest_items" ADD CONSTRAINT "digest_items_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "digests" ADD CONSTRAINT "digests_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outbox_deliveries" ADD CONSTRAINT "outbox_deliveries_event_id_outbox_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."outbox_events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "authentication_schema_roles" ADD CONSTRAINT "authentication_schema_roles_schema_id_authentication_schemas_id_fk" FOREIGN KEY ("schema_id") REFERENCES "public"."authentication_schemas"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "authentication_schema_roles" ADD CONSTRAINT "authentication_schema_roles_role_id_roles_id_fk" FOREIGN KEY ("role_id") REFERENCES "public"."roles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contractor_organizations" ADD CONSTRAINT "contractor_organizations_contractor_id_contractors_id_fk" FOREIGN KEY ("contractor_id") REFERENCES "public"."contractors"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contractor_organizations" ADD CONSTRAINT "contractor_organizations_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "methods" ADD CONSTRAINT "methods_application_id_applications_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."applications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provider_domains" ADD CONSTRAINT "provider_domains_provider_id_providers_id_fk" FOREIGN KEY ("provider_id") REFERENCES "public"."providers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provider_domains" ADD CONSTRAINT "provider_domains_domain_id_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."domains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "role_methods" ADD CONSTRAINT "role_methods_role_id_roles_id_fk" FOREIGN KEY ("role_id") REFERENCES "public"."roles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "role_methods" ADD CONSTRAINT "role_methods_method_id_methods_id_fk" FOREIGN KEY ("method_id") REFERENCES "public"."methods"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_agreement_refusals" ADD CONSTRAINT "user_agreement_refusals_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_agreement_refusals" ADD CONSTRAINT "user_agreement_refusals_document_id_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."documents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_agreements" ADD CONSTRAINT "user_agreements_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_agreements" ADD CONSTRAINT "user_agreements_document_id_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."documents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_contractor_roles" ADD CONSTRAINT "user_contractor_roles_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_contractor_roles" ADD CONSTRAINT "user_contractor_roles_role_id_roles_id_fk" FOREIGN KEY ("role_id") REFERENCES "public"."roles"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_contractor_roles" ADD CONSTRAINT "user_contractor_roles_user_contractor" FOREIGN KEY ("user_id","contractor_id") REFERENCES "public"."user_contractors"("user_id","contractor_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_contractors" ADD CONSTRAINT "user_contractors_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_contractors" ADD CONSTRAINT "user_contractors_contractor_id_contractors_id_fk" FOREIGN KEY ("contractor_id") REFERENCES "public"."contractors"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_identifiers" ADD CONSTRAINT "user_identifiers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_roles" ADD CONSTRAINT "user_roles_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_roles" ADD CONSTRAINT "user_roles_role_id_roles_id_fk" FOREIGN KEY ("role_id") REFERENCES "public"."roles"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_roles" ADD CONSTRAINT "user_roles_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_settings" ADD CONSTRAINT "user_settings_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_authentication_schema_id_authentication_schemas_id_fk" FOREIGN KEY ("authentication_schema_id") REFERENCES "public"."authentication_schemas"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_provider_id_providers_id_fk" FOREIGN KEY ("provider_id") REFERENCES "public"."providers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "field_pictures" ADD CONSTRAINT "field_pictures_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "field_pictures" ADD CONSTRAINT "field_pictures_contractor_id_contractors_id_fk" FOREIGN KEY ("contractor_id") REFERENCES "public"."contractors"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_pictures" ADD CONSTRAINT "user_pictures_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "access_list_entries" ADD CONSTRAINT "access_list_entries_alias_id_network_aliases_id_fk" FOREIGN KEY ("alias_id") REFERENCES "public"."network_aliases"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "application_domains" ADD CONSTRAINT "application_domains_application_id_applications_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."applications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "application_domains" ADD CONSTRAINT "application_domains_domain_id_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."domains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "applications" ADD CONSTRAINT "applications_parent_id_applications_id_fk" FOREIGN KEY ("parent_id") REFERENCES "public"."applications"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "applications" ADD CONSTRAINT "applications_icon_id_platform_pictures_id_fk" FOREIGN KEY ("icon_id") REFERENCES "public"."platform_pictures"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "document_locales" ADD CONSTRAINT "document_locales_document_id_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."documents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "document_locales" ADD CONSTRAINT "document_locales_locale_id_locales_id_fk" FOREIGN KEY ("locale_id") REFERENCES "public"."locales"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "domain_agreements" ADD CONSTRAINT "domain_agreements_domain_id_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."domains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "domain_agreements" ADD CONSTRAINT "domain_agreements_document_id_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."documents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "domain_aliases" ADD CONSTRAINT "domain_aliases_domain_id_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."domains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "domain_documents" ADD CONSTRAINT "domain_documents_domain_id_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."domains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "domain_documents" ADD CONSTRAINT "domain_documents_document_id_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."documents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "domain_locales" ADD CONSTRAINT "domain_locales_domain_id_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."domains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "domain_locales" ADD CONSTRAINT "domain_locales_locale_id_locales_id_fk" FOREIGN KEY ("locale_id") REFERENCES "public"."locales"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "domain_texts" ADD CONSTRAINT "domain_texts_domain_id_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."domains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "domain_texts" ADD CONSTRAINT "domain_texts_locale_id_locales_id_fk" FOREIGN KEY ("locale_id") REFERENCES "public"."locales"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "domains" ADD CONSTRAINT "domains_logo_id_platform_pictures_id_fk" FOREIGN KEY ("logo_id") REFERENCES "public"."platform_pictures"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "draft_sources" ADD CONSTRAINT "draft_sources_draft_id_domains_id_fk" FOREIGN KEY ("draft_id") REFERENCES "public"."domains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "draft_sources" ADD CONSTRAINT "draft_sources_domain_id_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."domains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "locale_texts" ADD CONSTRAINT "locale_texts_locale_id_locales_id_fk" FOREIGN KEY ("locale_id") REFERENCES "public"."locales"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "network_alias_ips" ADD CONSTRAINT "network_alias_ips_alias_id_network_aliases_id_fk" FOREIGN KEY ("alias_id") REFERENCES "public"."network_aliases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provider_calls" ADD CONSTRAINT "provider_calls_provider_id_providers_id_fk" FOREIGN KEY ("provider_id") REFERENCES "public"."providers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provider_links" ADD CONSTRAINT "provider_links_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provider_links" ADD CONSTRAINT "provider_links_provider_id_providers_id_fk" FOREIGN KEY ("provider_id") REFERENCES "public"."providers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provider_mappers" ADD CONSTRAINT "provider_mappers_sync_id_provider_syncs_id_fk" FOREIGN KEY ("sync_id") REFERENCES "public"."provider_syncs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provider_syncs" ADD CONSTRAINT "provider_syncs_provider_id_providers_id_fk" FOREIGN KEY ("provider_id") REFERENCES "public"."providers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provider_syncs" ADD CONSTRAINT "provider_syncs_actor_id_users_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "run_rows" ADD CONSTRAINT "run_rows_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_client_id_oidc_clients_client_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."oidc_clients"("client_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_webhook_id_webhooks_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhooks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_states" ADD CONSTRAINT "webhook_states_webhook_id_webhooks_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhooks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_application_id_applications_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."applications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
-- Indexes
CREATE INDEX "access_request_roles_role" ON "access_request_roles" USING btree ("role_id");--> statement-breakpoint
CREATE UNIQUE INDEX "access_requests_considered" ON "access_requests" USING btree ("user_id","inn",coalesce("kpp", '')) WHERE "access_requests"."status" = 'considered';--> statement-breakpoint
CREATE INDEX "access_requests_user" ON "access_requests" USING btree ("user_id","created_at","id");--> statement-breakpoint
CREATE INDEX "access_requests_inn" ON "access_requests" USING btree ("inn","created_at","id");--> statement-breakpoint
CREATE INDEX "access_requests_created_at" ON "access_requests" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "access_requests_waiting_first" ON "access_requests" USING btree (("status" = 'considered'),"created_at","id");--> statement-breakpoint
CREATE INDEX "access_requests_open" ON "access_requests" USING btree ("created_at","id") WHERE "access_requests"."status" = 'considered';--> statement-breakpoint
CREATE INDEX "access_requests_finished_at" ON "access_requests" USING btree ("finished_at","id");--> statement-breakpoint
CREATE INDEX "access_requests_name" ON "access_requests" USING btree ("name","id");--> statement-breakpoint
CREATE INDEX "access_requests_search" ON "access_requests" USING gin (search_form("name") gin_trgm_ops,search_form("inn") gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "access_requests_contractor" ON "access_requests" USING btree ("contractor_id");--> statement-breakpoint
CREATE INDEX "access_requests_decider" ON "access_requests" USING btree ("decider_id");--> statement-breakpoint
CREATE INDEX "access_requests_domain" ON "access_requests" USING btree ("domain_id");--> statement-breakpoint
CREATE INDEX "agreement_reminders_user" ON "agreement_reminders" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "dynamic_field_subtypes_tab" ON "dynamic_field_subtypes" USING btree ("tab_id");--> statement-breakpoint
CREATE INDEX "dynamic_field_uniques_user" ON "dynamic_field_uniques" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "dynamic_field_uniques_contractor" ON "dynamic_field_uniques" USING btree ("contractor_id");--> statement-breakpoint
CREATE INDEX "dynamic_fields_subtype" ON "dynamic_fields" USING btree ("type","subtype");--> statement-breakpoint
CREATE INDEX "daily_counters_day" ON "daily_counters" USING btree ("day");--> statement-breakpoint
CREATE INDEX "invitation_roles_organization" ON "invitation_roles" USING btree ("organization_id");--> statement-breakpoint
CREATE INDEX "invitation_roles_role" ON "invitation_roles" USING btree ("role_id");--> statement-breakpoint
CREATE INDEX "invitations_email" ON "invitations" USING btree ("email","status");--> statement-breakpoint
CREATE INDEX "invitations_open" ON "invitations" USING btree ("expires_at") WHERE "invitations"."status" = 'active';--> statement-breakpoint
CREATE INDEX "invitations_over" ON "invitations" USING btree (coalesce("finished_at", "expires_at")) WHERE "invitations"."status" <> 'active';--> statement-breakpoint
CREATE INDEX "invitations_contractor" ON "invitations" USING btree ("contractor_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "invitations_created_at" ON "invitations" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "invitations_expires_at" ON "invitations" USING btree ("expires_at","id");--> statement-breakpoint
CREATE INDEX "invitations_search" ON "invitations" USING gin (search_form("email") gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "invitations_inviter" ON "invitations" USING btree ("inviter_id");--> statement-breakpoint
CREATE INDEX "invitations_user" ON "invitations" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "invitations_domain" ON "invitations" USING btree ("domain_id");--> statement-breakpoint
CREATE INDEX "links_user" ON "links" USING btree ("user_id","kind");--> statement-breakpoint
CREATE INDEX "links_email" ON "links" USING btree ("email","kind");--> statement-breakpoint
CREATE INDEX "links_expires" ON "links" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "links_domain" ON "links" USING btree ("domain_id");--> statement-breakpoint
CREATE INDEX "password_failures_user" ON "password_failures" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "password_failures_nobody" ON "password_failures" USING btree ("last_at") WHERE "password_failures"."user_id" is null;--> statement-breakpoint
CREATE INDEX "password_history_user" ON "password_history" USING btree ("user_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id","ended_at");--> statement-breakpoint
CREATE INDEX "sessions_device" ON "sessions" USING btree ("user_id","device_hash");--> statement-breakpoint
CREATE INDEX "sessions_open_expires" ON "sessions" USING btree ("expires_at","id") WHERE "sessions"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "sessions_open_access" ON "sessions" USING btree ("last_access_at","id") WHERE "sessions"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "sessions_over" ON "sessions" USING btree ("kept_as","ended_at") WHERE "sessions"."ended_at" is not null;--> statement-breakpoint
CREATE INDEX "sessions_oidc" ON "sessions" USING btree ("oidc_uid");--> statement-breakpoint
CREATE INDEX "sessions_domain" ON "sessions" USING btree ("domain_id");--> statement-breakpoint
CREATE INDEX "sessions_provider" ON "sessions" USING btree ("provider_id");--> statement-breakpoint
CREATE INDEX "sessions_provider_subject" ON "sessions" USING btree ("provider_subject","provider_id") WHERE "sessions"."provider_subject" is not null;--> statement-breakpoint
CREATE INDEX "sign_in_attempts_open" ON "sign_in_attempts" USING btree ("expires_at") WHERE "sign_in_attempts"."finished_at" is null;--> statement-breakpoint
CREATE INDEX "sign_in_attempts_finished" ON "sign_in_attempts" USING btree ("finished_at");--> statement-breakpoint
CREATE INDEX "sign_in_attempts_user" ON "sign_in_attempts" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sign_in_attempts_domain" ON "sign_in_attempts" USING btree ("domain_id");--> statement-breakpoint
CREATE INDEX "wrong_codes_last" ON "wrong_codes" USING btree ("last_at");--> statement-breakpoint
CREATE INDEX "history_seals_oldest" ON "history_seals" USING btree ("oldest");--> statement-breakpoint
CREATE INDEX "history_seals_kind" ON "history_seals" USING btree ("kind","seq");--> statement-breakpoint
CREATE INDEX "integration_exchanges_updated_at" ON "integration_exchanges" USING btree ("updated_at","id");--> statement-breakpoint
CREATE INDEX "integration_exchanges_created_at" ON "integration_exchanges" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "integration_exchanges_key" ON "integration_exchanges" USING btree ("key","updated_at","id");--> statement-breakpoint
CREATE INDEX "integration_exchanges_waiting" ON "integration_exchanges" USING btree ("created_at") WHERE "integration_exchanges"."status" = 'wait';--> statement-breakpoint
CREATE INDEX "integration_syncs_actor" ON "integration_syncs" USING btree ("actor_id");--> statement-breakpoint
CREATE INDEX "found_versions_application" ON "found_versions" USING btree ("application_id");--> statement-breakpoint
CREATE INDEX "monitoring_checks_application" ON "monitoring_checks" USING btree ("application_id");--> statement-breakpoint
CREATE INDEX "monitoring_slots_at" ON "monitoring_slots" USING btree ("at");--> statement-breakpoint
CREATE INDEX "news_locales_locale" ON "news_locales" USING btree ("locale_id");--> statement-breakpoint
CREATE INDEX "notices_user" ON "notices" USING btree ("user_id","date","id");--> statement-breakpoint
CREATE INDEX "notices_unread" ON "notices" USING btree ("user_id","date") WHERE "notices"."read_at" is null;--> statement-breakpoint
CREATE INDEX "notices_date" ON "notices" USING btree ("date");--> statement-breakpoint
CREATE INDEX "notices_of_news" ON "notices" USING btree ("cause") WHERE "notices"."kind" = 'news';--> statement-breakpoint
CREATE INDEX "application_service_methods_method" ON "application_service_methods" USING btree ("method_id");--> statement-breakpoint
CREATE INDEX "oidc_answers_expires" ON "oidc_answers" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "oidc_clients_application" ON "oidc_clients" USING btree ("application_id");--> statement-breakpoint
CREATE INDEX "oidc_consents_client" ON "oidc_consents" USING btree ("client_id");--> statement-breakpoint
CREATE INDEX "oidc_logouts_created" ON "oidc_logouts" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "oidc_logouts_failed" ON "oidc_logouts" USING btree ("client_id","finished_at") WHERE "oidc_logouts"."status" = 'failed';--> statement-breakpoint
CREATE INDEX "oidc_records_live_grants" ON "oidc_records" USING btree ("created_at","id_hash") WHERE "oidc_records"."model" = 'Grant';--> statement-breakpoint
CREATE INDEX "oidc_records_uid" ON "oidc_records" USING btree ("uid");--> statement-breakpoint
CREATE INDEX "oidc_records_grant" ON "oidc_records" USING btree ("grant_id");--> statement-breakpoint
CREATE INDEX "oidc_records_session" ON "oidc_records" USING btree ("session_uid");--> statement-breakpoint
CREATE INDEX "oidc_records_account" ON "oidc_records" USING btree ("account_id","client_id");--> statement-breakpoint
CREATE INDEX "oidc_records_expires" ON "oidc_records" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "digest_items_user" ON "digest_items" USING btree ("user_id","period","date");--> statement-breakpoint
CREATE INDEX "digest_items_of_cause" ON "digest_items" USING btree ("cause");--> statement-breakpoint
CREATE INDEX "digests_due" ON "digests" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "history_date" ON "history" USING btree ("date","id");--> statement-breakpoint
CREATE INDEX "history_object" ON "history" USING btree ("entity","entity_id","id");--> statement-breakpoint
CREATE INDEX "history_object_changer" ON "history" USING btree ("entity","entity_id","changer_id","id");--> statement-breakpoint
CREATE INDEX "history_changer" ON "history" USING btree ("changer_id","date","id");--> statement-breakpoint
CREATE INDEX "history_entity" ON "history" USING btree ("entity","date","id");--> statement-breakpoint
CREATE INDEX "history_ip" ON "history" USING btree ("ip","date","id");--> statement-breakpoint
CREATE INDEX "idempotency_keys_created" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "messages_created" ON "messages" USING btree ("created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "messages_status_created" ON "messages" USING btree ("status","created_at");--> statement-breakpoint
CREATE INDEX "messages_content" ON "messages" USING btree ("created_at") WHERE "messages"."content" <> '';--> statement-breakpoint
CREATE INDEX "messages_user" ON "messages" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "outbox_deliveries_event" ON "outbox_deliveries" USING btree ("event_id","handler");--> statement-breakpoint
CREATE INDEX "outbox_deliveries_open" ON "outbox_deliveries" USING btree ("handler","entity","entity_id","event_id") WHERE "outbox_deliveries"."state" in ('waiting', 'dead');--> statement-breakpoint
CREATE INDEX "outbox_deliveries_finished" ON "outbox_deliveries" USING btree ("finished_at");--> statement-breakpoint
CREATE INDEX "outbox_events_date" ON "outbox_events" USING btree ("date");--> statement-breakpoint
CREATE INDEX "authentication_schema_roles_role" ON "authentication_schema_roles" USING btree ("role_id");--> statement-breakpoint
CREATE INDEX "contractor_organizations_organization" ON "contractor_organizations" USING btree ("organization_id");--> statement-breakpoint
CREATE UNIQUE INDEX "contractors_inn_kpp" ON "contractors" USING btree ("inn",coalesce("kpp", ''));--> statement-breakpoint
CREATE INDEX "contractors_name" ON "contractors" USING btree ("name","id");--> statement-breakpoint
CREATE INDEX "contractors_compared_name" ON "contractors" USING btree (regexp_replace(regexp_replace(lower("name"), '^(ооо|оао|зао|пао|ао|ип|нко|llc|ltd|jsc)[^[:alnum:]]+', ''), '[^[:alnum:]]+', '', 'g'));--> statement-breakpoint
CREATE INDEX "contractors_compared_name_backwards" ON "contractors" USING btree (reverse(regexp_replace(regexp_replace(lower("name"), '^(ооо|оао|зао|пао|ао|ип|нко|llc|ltd|jsc)[^[:alnum:]]+', ''), '[^[:alnum:]]+', '', 'g')));--> statement-breakpoint
CREATE INDEX "contractors_name_search" ON "contractors" USING gin (search_form("name") gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "contractors_inn_search" ON "contractors" USING gin (search_form("inn") gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "contractors_kpp_search" ON "contractors" USING gin (search_form("kpp") gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "contractors_external_code_search" ON "contractors" USING gin (search_form("external_code") gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "contractors_updated_at" ON "contractors" USING btree ("updated_at","id");--> statement-breakpoint
CREATE INDEX "contractors_inn" ON "contractors" USING btree ("inn","id");--> statement-breakpoint
CREATE INDEX "provider_domains_domain" ON "provider_domains" USING btree ("domain_id");--> statement-breakpoint
CREATE INDEX "role_methods_method" ON "role_methods" USING btree ("method_id");--> statement-breakpoint
CREATE INDEX "user_agreement_refusals_document" ON "user_agreement_refusals" USING btree ("document_id");--> statement-breakpoint
CREATE INDEX "user_agreements_document" ON "user_agreements" USING btree ("document_id");--> statement-breakpoint
CREATE INDEX "user_contractor_roles_organization_role" ON "user_contractor_roles" USING btree ("organization_id","role_id");--> statement-breakpoint
CREATE INDEX "user_contractor_roles_contractor_role" ON "user_contractor_roles" USING btree ("contractor_id","role_id");--> statement-breakpoint
CREATE INDEX "user_contractor_roles_role_user" ON "user_contractor_roles" USING btree ("role_id","user_id");--> statement-breakpoint
CREATE INDEX "user_contractors_contractor" ON "user_contractors" USING btree ("contractor_id");--> statement-breakpoint
CREATE INDEX "user_contractors_without_role" ON "user_contractors" USING btree ("contractor_id","user_id") WHERE roles_held = 0;--> statement-breakpoint
CREATE INDEX "user_identifiers_user" ON "user_identifiers" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "user_roles_role_user" ON "user_roles" USING btree ("role_id","user_id");--> statement-breakpoint
CREATE INDEX "user_roles_organization_role" ON "user_roles" USING btree ("organization_id","role_id");--> statement-breakpoint
CREATE INDEX "users_email" ON "users" USING btree (lower("email"));--> statement-breakpoint
CREATE INDEX "users_mobile" ON "users" USING btree ("mobile");--> statement-breakpoint
CREATE INDEX "users_authentication_schema" ON "users" USING btree ("authentication_schema_id");--> statement-breakpoint
CREATE INDEX "users_fio" ON "users" USING btree ("fio","id");--> statement-breakpoint
CREATE INDEX "users_disabled" ON "users" USING btree ("fio","id") WHERE not enabled;--> statement-breakpoint
CREATE INDEX "users_created_at" ON "users" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "users_mobile_search" ON "users" USING gin ("mobile" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "users_external_id" ON "users" USING btree ("external_id");--> statement-breakpoint
CREATE INDEX "users_external_id_search" ON "users" USING gin (search_form("external_id") gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "users_search" ON "users" USING gin (search_form("fio") gin_trgm_ops,search_form("login") gin_trgm_ops,search_form("email") gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "access_list_entries_alias" ON "access_list_entries" USING btree ("alias_id");--> statement-breakpoint
CREATE INDEX "access_list_entries_date" ON "access_list_entries" USING btree ("list",coalesce("date_from", "created_at"),"id");--> statement-breakpoint
CREATE INDEX "application_domains_domain" ON "application_domains" USING btree ("domain_id");--> statement-breakpoint
CREATE INDEX "applications_parent" ON "applications" USING btree ("parent_id");--> statement-breakpoint
CREATE INDEX "applications_icon" ON "applications" USING btree ("icon_id");--> statement-breakpoint
CREATE UNIQUE INDEX "authentication_schemas_one_base" ON "authentication_schemas" USING btree ("base") WHERE "authentication_schemas"."base";--> statement-breakpoint
CREATE INDEX "document_locales_locale" ON "document_locales" USING btree ("locale_id");--> statement-breakpoint
CREATE INDEX "domain_agreements_document" ON "domain_agreements" USING btree ("document_id");--> statement-breakpoint
CREATE INDEX "domain_aliases_domain" ON "domain_aliases" USING btree ("domain_id");--> statement-breakpoint
CREATE INDEX "domain_documents_document" ON "domain_documents" USING btree ("document_id");--> statement-breakpoint
CREATE INDEX "domain_locales_locale" ON "domain_locales" USING btree ("locale_id");--> statement-breakpoint
CREATE INDEX "domain_texts_locale" ON "domain_texts" USING btree ("locale_id");--> statement-breakpoint
CREATE UNIQUE INDEX "domains_one_base" ON "domains" USING btree ("base") WHERE "domains"."base";--> statement-breakpoint
CREATE INDEX "domains_logo" ON "domains" USING btree ("logo_id");--> statement-breakpoint
CREATE INDEX "draft_sources_domain" ON "draft_sources" USING btree ("domain_id");--> statement-breakpoint
CREATE INDEX "network_alias_ips_ip" ON "network_alias_ips" USING gist ("ip" inet_ops);--> statement-breakpoint
CREATE INDEX "network_alias_ips_text" ON "network_alias_ips" USING gin (search_form(text("ip")) gin_trgm_ops,search_form("comment") gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "network_aliases_updated" ON "network_aliases" USING btree ("updated_at","id");--> statement-breakpoint
CREATE INDEX "network_aliases_text" ON "network_aliases" USING gin (search_form("name") gin_trgm_ops,search_form("comment") gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "provider_calls_provider" ON "provider_calls" USING btree ("provider_id","at","id");--> statement-breakpoint
CREATE INDEX "provider_calls_at" ON "provider_calls" USING btree ("at");--> statement-breakpoint
CREATE INDEX "provider_syncs_actor" ON "provider_syncs" USING btree ("actor_id");--> statement-breakpoint
CREATE INDEX "run_rows_waiting" ON "run_rows" USING btree ("run_id","row") WHERE "run_rows"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "run_rows_failed" ON "run_rows" USING btree ("run_id","row") WHERE "run_rows"."state" = 'failed';--> statement-breakpoint
CREATE INDEX "run_rows_noted" ON "run_rows" USING btree ("run_id","row") WHERE "run_rows"."state" = 'done' and coalesce("run_rows"."input" -> 'notes', '[]') <> '[]';--> statement-breakpoint
CREATE INDEX "run_rows_external_id" ON "run_rows" USING btree ("run_id",("input" ->> 'externalId'));--> statement-breakpoint
CREATE INDEX "runs_created" ON "runs" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "runs_removed" ON "runs" USING btree ("id") WHERE "runs"."kind" = 'removed';--> statement-breakpoint
CREATE INDEX "runs_user" ON "runs" USING btree ("user_id","kind","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "runs_running" ON "runs" USING btree ("user_id","kind") WHERE "runs"."state" = 'running';--> statement-breakpoint
CREATE INDEX "runs_client" ON "runs" USING btree ("client_id","kind","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "runs_client_running" ON "runs" USING btree ("client_id","kind") WHERE "runs"."state" = 'running';--> statement-breakpoint
CREATE INDEX "runs_subject" ON "runs" USING btree ("subject","kind","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "runs_subject_running" ON "runs" USING btree ("subject","kind") WHERE "runs"."state" = 'running';--> statement-breakpoint
CREATE INDEX "sign_in_log_at" ON "sign_in_log" USING btree ("at","id");--> statement-breakpoint
CREATE INDEX "sign_in_log_user" ON "sign_in_log" USING btree ("user_id","at","id");--> statement-breakpoint
CREATE INDEX "sign_in_log_digest" ON "sign_in_log" USING btree ("digest","at","id");--> statement-breakpoint
CREATE INDEX "sign_in_log_ip" ON "sign_in_log" USING btree ("ip","at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_deliveries_delivery" ON "webhook_deliveries" USING btree ("webhook_id","delivery_id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_created" ON "webhook_deliveries" USING btree ("webhook_id","created_at","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_updated" ON "webhook_deliveries" USING btree ("updated_at");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_waiting" ON "webhook_deliveries" USING btree ("webhook_id") WHERE "webhook_deliveries"."status" = 'wait';--> statement-breakpoint
CREATE INDEX "webhooks_application" ON "webhooks" USING btree ("application_id");--> statement-breakpoint
-- The history: rows wait for the chain, and only this function removes old ones
-- as the owner: the application's role can't put a row in, so it can't have a row sealed twice
CREATE FUNCTION "public"."queue_history_row"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
begin
  insert into public.history_unsealed (id, until, inserted_by) select id, id, session_user from added;
  return null;
end
$$;--> statement-breakpoint
CREATE TRIGGER "queue_history_row" AFTER INSERT ON "history" REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "public"."queue_history_row"();--> statement-breakpoint
-- removes the rows of one seal that are older than the moment; how many were due, 0 if no seal has any
CREATE FUNCTION "public"."remove_old_history"(cutoff timestamp with time zone) RETURNS integer LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
declare
  seal record;
  due integer;
  at bigint := (extract(epoch from cutoff) * 1000000)::bigint;
begin
  if cutoff is null or cutoff > now() - interval '45 days' then
    raise exception 'the history of the last 45 days is kept' using errcode = '22023';
  end if;
  if not exists (select from public.history_seals where kind = 'retention' and before >= cutoff) then
    raise exception 'no entry of the chain says that rows from before this moment are removed' using errcode = '55000';
  end if;
  select seq, ids, moments into seal from public.history_seals where oldest < at order by oldest limit 1 for update;
  if not found then
    return 0;
  end if;
  -- its own date too: whoever may add a seal could write any moment there
  delete from public.history h using unnest(seal.ids, seal.moments) as sealed (id, moment)
    where h.id = sealed.id and sealed.moment < at and h.date < cutoff;
  select count(*) into due from unnest(seal.moments) as moment where moment < at;
  if due = cardinality(seal.ids) then
    update public.history_seals set ids = null, moments = null, salts = null, digests = null, oldest = null
      where seq = seal.seq;
  else
    update public.history_seals s set
      salts = (select array_agg(case when s.moments[n] < at then null else s.salts[n] end order by n)
        from generate_subscripts(s.ids, 1) n),
      oldest = (select min(moment) from unnest(s.moments) as moment where moment >= at)
      where s.seq = seal.seq;
  end if;
  return due;
end
$$;--> statement-breakpoint
REVOKE ALL ON FUNCTION "public"."remove_old_history"(timestamp with time zone) FROM public;--> statement-breakpoint
-- How many roles a person holds for a contractor
-- memberships are changed in one order, so that two writers of the same people don't wait for each other in a circle
CREATE FUNCTION "public"."count_held_roles"() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_catalog, pg_temp AS $$
begin
  if tg_op = 'INSERT' then
    perform from user_contractors uc where (uc.user_id, uc.contractor_id) in (select user_id, contractor_id from added)
      order by uc.user_id, uc.contractor_id for no key update;
    update user_contractors uc set roles_held = uc.roles_held + n
      from (select user_id, contractor_id, count(*)::int as n from added group by 1, 2) c
      where uc.user_id = c.user_id and uc.contractor_id = c.contractor_id;
  else
    perform from user_contractors uc where (uc.user_id, uc.contractor_id) in (select user_id, contractor_id from removed)
      order by uc.user_id, uc.contractor_id for no key update;
    update user_contractors uc set roles_held = uc.roles_held - n
      from (select user_id, contractor_id, count(*)::int as n from removed group by 1, 2) c
      where uc.user_id = c.user_id and uc.contractor_id = c.contractor_id;
  end if;
  return null;
end
$$;--> statement-breakpoint
-- who moves a role to another person or contractor deletes it and inserts it again
CREATE FUNCTION "public"."refuse_moved_role"() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_catalog, pg_temp AS $$
begin
  raise exception 'a role is not moved to another membership: delete it and insert it again';
end
$$;--> statement-breakpoint
CREATE TRIGGER "count_added_roles" AFTER INSERT ON "user_contractor_roles" REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "public"."count_held_roles"();--> statement-breakpoint
CREATE TRIGGER "count_removed_roles" AFTER DELETE ON "user_contractor_roles" REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION "public"."count_held_roles"();--> statement-breakpoint
CREATE TRIGGER "refuse_moved_role" BEFORE UPDATE OF "user_id", "contractor_id" ON "user_contractor_roles" FOR EACH ROW WHEN (OLD.user_id <> NEW.user_id OR OLD.contractor_id <> NEW.contractor_id) EXECUTE FUNCTION "public"."refuse_moved_role"();
