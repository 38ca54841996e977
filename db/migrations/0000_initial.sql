CREATE TYPE "public"."dynamic_field_type" AS ENUM('users', 'contractors', 'personnel-actions');--> statement-breakpoint
CREATE TYPE "public"."field_type" AS ENUM('input', 'dropbox', 'combobox', 'toggle', 'date', 'textarea', 'picture', 'phone', 'email');--> statement-breakpoint
CREATE TYPE "public"."link_kind" AS ENUM('entry', 'recovery', 'registration');--> statement-breakpoint
CREATE TYPE "public"."history_type" AS ENUM('create', 'update', 'delete', 'login');--> statement-breakpoint
CREATE TYPE "public"."message_kind" AS ENUM('email', 'sms');--> statement-breakpoint
CREATE TYPE "public"."message_status" AS ENUM('queued', 'sent', 'failed', 'dropped');--> statement-breakpoint
CREATE TYPE "public"."gender" AS ENUM('man', 'woman');--> statement-breakpoint
CREATE TYPE "public"."identifier_kind" AS ENUM('login', 'email', 'mobile');--> statement-breakpoint
CREATE TYPE "public"."method_kind" AS ENUM('systemic', 'application');--> statement-breakpoint
CREATE TYPE "public"."provider_type" AS ENUM('keycloak', 'wapps');--> statement-breakpoint
CREATE TYPE "public"."role_type" AS ENUM('systemic', 'organizational', 'contractor');--> statement-breakpoint
CREATE TYPE "public"."access_list" AS ENUM('whitelist', 'blacklist');--> statement-breakpoint
CREATE TYPE "public"."application_type" AS ENUM('internal', 'external', 'draft', 'link', 'virtual');--> statement-breakpoint
CREATE TYPE "public"."document_format" AS ENUM('md', 'html');--> statement-breakpoint
CREATE TYPE "public"."document_type" AS ENUM('agreement', 'document');--> statement-breakpoint
CREATE TYPE "public"."domain_type" AS ENUM('draft', 'other');--> statement-breakpoint
CREATE TABLE "dynamic_field_subtypes" (
	"type" "dynamic_field_type" NOT NULL,
	"code" text NOT NULL,
	"tab_id" text NOT NULL,
	"title" text NOT NULL,
	"title_en" text,
	"active" boolean DEFAULT true NOT NULL,
	"systemic" boolean DEFAULT false NOT NULL,
	"order" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "dynamic_field_subtypes_type_code" PRIMARY KEY("type","code")
);
--> statement-breakpoint
CREATE TABLE "dynamic_field_tabs" (
	"id" text PRIMARY KEY NOT NULL,
	"type" "dynamic_field_type" NOT NULL,
	"title" text NOT NULL,
	"title_en" text,
	"view_type" text DEFAULT 'form' NOT NULL,
	"active" boolean DEFAULT true NOT NULL,
	"systemic" boolean DEFAULT false NOT NULL,
	"order" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
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
	"items" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"systemic" boolean DEFAULT false NOT NULL,
	"immutable" boolean DEFAULT false NOT NULL,
	"actions_access" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "dynamic_fields_type_code" UNIQUE("type","code")
);
--> statement-breakpoint
CREATE TABLE "personnel_action_types" (
	"code" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"name_en" text
);
--> statement-breakpoint
CREATE TABLE "daily_counters" (
	"kind" text NOT NULL,
	"key" text NOT NULL,
	"day" date NOT NULL,
	"count" integer DEFAULT 0 NOT NULL,
	"blocked_until" timestamp with time zone,
	CONSTRAINT "daily_counters_kind_key_day_pk" PRIMARY KEY("kind","key","day")
);
--> statement-breakpoint
CREATE TABLE "links" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"kind" "link_kind" NOT NULL,
	"id_hash" text NOT NULL,
	"user_id" uuid,
	"domain_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone,
	"canceled_at" timestamp with time zone,
	CONSTRAINT "links_id_hash" UNIQUE("id_hash")
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"domain_id" uuid,
	"provider_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"last_access_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	"end_reason" text,
	"ip" text NOT NULL,
	"user_agent" text DEFAULT '' NOT NULL,
	"browser" text DEFAULT '' NOT NULL,
	"system" text DEFAULT '' NOT NULL,
	"device_type" text NOT NULL,
	"device_hash" text,
	"display_size" text,
	"display_window_size" text,
	"display_zoom" text
);
--> statement-breakpoint
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
);
--> statement-breakpoint
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
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"caller" text NOT NULL,
	"key" text NOT NULL,
	"request" text NOT NULL,
	"status" integer,
	"answer" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "idempotency_keys_caller_key_pk" PRIMARY KEY("caller","key")
);
--> statement-breakpoint
CREATE TABLE "messages" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"kind" "message_kind" NOT NULL,
	"template" text NOT NULL,
	"recipient" text NOT NULL,
	"user_id" uuid,
	"locale" text NOT NULL,
	"content" text NOT NULL,
	"status" "message_status" DEFAULT 'queued' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"error" text,
	"expires_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "authentication_schema_roles" (
	"schema_id" uuid NOT NULL,
	"role_id" uuid NOT NULL,
	CONSTRAINT "authentication_schema_roles_schema_id_role_id_pk" PRIMARY KEY("schema_id","role_id")
);
--> statement-breakpoint
CREATE TABLE "contractor_organizations" (
	"contractor_id" uuid NOT NULL,
	"organization_id" uuid NOT NULL,
	CONSTRAINT "contractor_organizations_contractor_id_organization_id_pk" PRIMARY KEY("contractor_id","organization_id")
);
--> statement-breakpoint
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
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "contractors_inn_kpp" UNIQUE NULLS NOT DISTINCT("inn","kpp"),
	CONSTRAINT "contractors_external_code" UNIQUE("external_code")
);
--> statement-breakpoint
CREATE TABLE "methods" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"code" text NOT NULL,
	"name" text NOT NULL,
	"name_en" text,
	"kind" "method_kind" NOT NULL,
	"application_id" uuid,
	CONSTRAINT "methods_application_code" UNIQUE NULLS NOT DISTINCT("application_id","code")
);
--> statement-breakpoint
CREATE TABLE "organizations" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
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
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "provider_domains" (
	"provider_id" uuid NOT NULL,
	"domain_id" uuid NOT NULL,
	CONSTRAINT "provider_domains_provider_id_domain_id_pk" PRIMARY KEY("provider_id","domain_id")
);
--> statement-breakpoint
CREATE TABLE "providers" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"type" "provider_type" NOT NULL,
	"enabled" boolean DEFAULT false NOT NULL,
	"name" text NOT NULL,
	"url" text NOT NULL,
	"realm" text,
	"client_id" text NOT NULL,
	"client_secret" text NOT NULL,
	"email_domains" text[] DEFAULT '{}' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "providers_name" UNIQUE("name")
);
--> statement-breakpoint
CREATE TABLE "role_methods" (
	"role_id" uuid NOT NULL,
	"method_id" uuid NOT NULL,
	CONSTRAINT "role_methods_role_id_method_id_pk" PRIMARY KEY("role_id","method_id")
);
--> statement-breakpoint
CREATE TABLE "roles" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"code" text,
	"name" text NOT NULL,
	"name_en" text,
	"comment" text DEFAULT '' NOT NULL,
	"role_type" "role_type" NOT NULL,
	"immutable" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "roles_code" UNIQUE("code")
);
--> statement-breakpoint
CREATE TABLE "user_agreements" (
	"user_id" uuid NOT NULL,
	"document_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"agreed_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ip" text NOT NULL,
	CONSTRAINT "user_agreements_user_id_document_id_version_pk" PRIMARY KEY("user_id","document_id","version")
);
--> statement-breakpoint
CREATE TABLE "user_contractor_roles" (
	"user_id" uuid NOT NULL,
	"contractor_id" uuid NOT NULL,
	"organization_id" uuid NOT NULL,
	"role_id" uuid NOT NULL,
	CONSTRAINT "user_contractor_roles_user_id_contractor_id_organization_id_role_id_pk" PRIMARY KEY("user_id","contractor_id","organization_id","role_id")
);
--> statement-breakpoint
CREATE TABLE "user_contractors" (
	"user_id" uuid NOT NULL,
	"contractor_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "user_contractors_user_id_contractor_id_pk" PRIMARY KEY("user_id","contractor_id")
);
--> statement-breakpoint
CREATE TABLE "user_identifiers" (
	"kind" "identifier_kind" NOT NULL,
	"value" text NOT NULL,
	"user_id" uuid NOT NULL,
	CONSTRAINT "user_identifiers_kind_value" PRIMARY KEY("kind","value")
);
--> statement-breakpoint
CREATE TABLE "user_roles" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"role_id" uuid NOT NULL,
	"organization_id" uuid,
	CONSTRAINT "user_roles_user_role_organization" UNIQUE NULLS NOT DISTINCT("user_id","role_id","organization_id")
);
--> statement-breakpoint
CREATE TABLE "user_settings" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"lang" text,
	"nav_mini" boolean,
	"pagination" integer,
	"cookie" boolean
);
--> statement-breakpoint
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
	"provider_id" uuid,
	"external_id" text,
	"values" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_provider_external_id" UNIQUE("provider_id","external_id")
);
--> statement-breakpoint
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
	CONSTRAINT "access_list_entries_ip_or_alias" CHECK (("access_list_entries"."ip" is null) <> ("access_list_entries"."alias_id" is null))
);
--> statement-breakpoint
CREATE TABLE "application_domains" (
	"application_id" uuid NOT NULL,
	"domain_id" uuid NOT NULL,
	CONSTRAINT "application_domains_application_id_domain_id_pk" PRIMARY KEY("application_id","domain_id")
);
--> statement-breakpoint
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
	"swagger_url" text,
	"help_url" text,
	"compodoc_url" text,
	"tech_url" text,
	"menu_visible" boolean DEFAULT false NOT NULL,
	"order" integer DEFAULT 0 NOT NULL,
	"ip" "cidr"[] DEFAULT '{}' NOT NULL,
	"parent_id" uuid,
	"immutable" boolean DEFAULT false NOT NULL,
	"actions_access" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "applications_code" UNIQUE("code")
);
--> statement-breakpoint
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
	CONSTRAINT "authentication_schemas_code" UNIQUE("code")
);
--> statement-breakpoint
CREATE TABLE "banners" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"visible" boolean DEFAULT true NOT NULL,
	"title" text NOT NULL,
	"code" text NOT NULL,
	"text" text DEFAULT '' NOT NULL,
	"link" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "banners_code" UNIQUE("code")
);
--> statement-breakpoint
CREATE TABLE "device_types" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"name_en" text,
	"code" text NOT NULL,
	"immutable" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "device_types_code" UNIQUE("code")
);
--> statement-breakpoint
CREATE TABLE "document_locales" (
	"document_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"locale_id" uuid NOT NULL,
	"name" text NOT NULL,
	"link_name" text NOT NULL,
	"content" text NOT NULL,
	CONSTRAINT "document_locales_document_id_version_locale_id_pk" PRIMARY KEY("document_id","version","locale_id")
);
--> statement-breakpoint
CREATE TABLE "documents" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"code" text NOT NULL,
	"type" "document_type" NOT NULL,
	"admin_visible" boolean DEFAULT true NOT NULL,
	"format" "document_format" DEFAULT 'md' NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "documents_code" UNIQUE("code")
);
--> statement-breakpoint
CREATE TABLE "domain_agreements" (
	"domain_id" uuid NOT NULL,
	"document_id" uuid NOT NULL,
	"menu_visible" boolean DEFAULT false NOT NULL,
	"footer_visible" boolean DEFAULT false NOT NULL,
	"login_required" boolean DEFAULT false NOT NULL,
	"profile_visible" boolean DEFAULT false NOT NULL,
	"order" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "domain_agreements_domain_id_document_id_pk" PRIMARY KEY("domain_id","document_id")
);
--> statement-breakpoint
CREATE TABLE "domain_aliases" (
	"host" text PRIMARY KEY NOT NULL,
	"domain_id" uuid NOT NULL,
	"order" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "domain_documents" (
	"domain_id" uuid NOT NULL,
	"document_id" uuid NOT NULL,
	"order" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "domain_documents_domain_id_document_id_pk" PRIMARY KEY("domain_id","document_id")
);
--> statement-breakpoint
CREATE TABLE "domain_locales" (
	"domain_id" uuid NOT NULL,
	"locale_id" uuid NOT NULL,
	"order" integer DEFAULT 0 NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"settings" jsonb NOT NULL,
	CONSTRAINT "domain_locales_domain_id_locale_id_pk" PRIMARY KEY("domain_id","locale_id")
);
--> statement-breakpoint
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
	"devices_id_attributes" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "locales" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"code" text NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"immutable" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "locales_code" UNIQUE("code")
);
--> statement-breakpoint
CREATE TABLE "network_alias_ips" (
	"alias_id" uuid NOT NULL,
	"ip" "cidr" NOT NULL,
	"comment" text DEFAULT '' NOT NULL,
	"order" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "network_alias_ips_alias_id_ip_pk" PRIMARY KEY("alias_id","ip")
);
--> statement-breakpoint
CREATE TABLE "network_aliases" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"comment" text DEFAULT '' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "network_aliases_name" UNIQUE("name")
);
--> statement-breakpoint
CREATE TABLE "settings" (
	"id" text PRIMARY KEY NOT NULL,
	"value" jsonb NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "dynamic_field_subtypes" ADD CONSTRAINT "dynamic_field_subtypes_tab_id_dynamic_field_tabs_id_fk" FOREIGN KEY ("tab_id") REFERENCES "public"."dynamic_field_tabs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dynamic_fields" ADD CONSTRAINT "dynamic_fields_subtype" FOREIGN KEY ("type","subtype") REFERENCES "public"."dynamic_field_subtypes"("type","code") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "links" ADD CONSTRAINT "links_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "links" ADD CONSTRAINT "links_domain_id_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."domains"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_domain_id_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."domains"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_provider_id_providers_id_fk" FOREIGN KEY ("provider_id") REFERENCES "public"."providers"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_in_attempts" ADD CONSTRAINT "sign_in_attempts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_in_attempts" ADD CONSTRAINT "sign_in_attempts_domain_id_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."domains"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "authentication_schema_roles" ADD CONSTRAINT "authentication_schema_roles_schema_id_authentication_schemas_id_fk" FOREIGN KEY ("schema_id") REFERENCES "public"."authentication_schemas"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "authentication_schema_roles" ADD CONSTRAINT "authentication_schema_roles_role_id_roles_id_fk" FOREIGN KEY ("role_id") REFERENCES "public"."roles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contractor_organizations" ADD CONSTRAINT "contractor_organizations_contractor_id_contractors_id_fk" FOREIGN KEY ("contractor_id") REFERENCES "public"."contractors"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contractor_organizations" ADD CONSTRAINT "contractor_organizations_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "methods" ADD CONSTRAINT "methods_application_id_applications_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."applications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provider_domains" ADD CONSTRAINT "provider_domains_provider_id_providers_id_fk" FOREIGN KEY ("provider_id") REFERENCES "public"."providers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provider_domains" ADD CONSTRAINT "provider_domains_domain_id_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."domains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "role_methods" ADD CONSTRAINT "role_methods_role_id_roles_id_fk" FOREIGN KEY ("role_id") REFERENCES "public"."roles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "role_methods" ADD CONSTRAINT "role_methods_method_id_methods_id_fk" FOREIGN KEY ("method_id") REFERENCES "public"."methods"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
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
ALTER TABLE "access_list_entries" ADD CONSTRAINT "access_list_entries_alias_id_network_aliases_id_fk" FOREIGN KEY ("alias_id") REFERENCES "public"."network_aliases"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "application_domains" ADD CONSTRAINT "application_domains_application_id_applications_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."applications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "application_domains" ADD CONSTRAINT "application_domains_domain_id_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."domains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "applications" ADD CONSTRAINT "applications_parent_id_applications_id_fk" FOREIGN KEY ("parent_id") REFERENCES "public"."applications"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "document_locales" ADD CONSTRAINT "document_locales_document_id_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."documents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "document_locales" ADD CONSTRAINT "document_locales_locale_id_locales_id_fk" FOREIGN KEY ("locale_id") REFERENCES "public"."locales"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "domain_agreements" ADD CONSTRAINT "domain_agreements_domain_id_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."domains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "domain_agreements" ADD CONSTRAINT "domain_agreements_document_id_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."documents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "domain_aliases" ADD CONSTRAINT "domain_aliases_domain_id_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."domains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "domain_documents" ADD CONSTRAINT "domain_documents_domain_id_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."domains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "domain_documents" ADD CONSTRAINT "domain_documents_document_id_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."documents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "domain_locales" ADD CONSTRAINT "domain_locales_domain_id_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."domains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "domain_locales" ADD CONSTRAINT "domain_locales_locale_id_locales_id_fk" FOREIGN KEY ("locale_id") REFERENCES "public"."locales"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "network_alias_ips" ADD CONSTRAINT "network_alias_ips_alias_id_network_aliases_id_fk" FOREIGN KEY ("alias_id") REFERENCES "public"."network_aliases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "links_user" ON "links" USING btree ("user_id","kind");--> statement-breakpoint
CREATE INDEX "links_expires" ON "links" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id","ended_at");--> statement-breakpoint
CREATE INDEX "sessions_device" ON "sessions" USING btree ("user_id","device_hash");--> statement-breakpoint
CREATE INDEX "sessions_expires" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "sign_in_attempts_expires" ON "sign_in_attempts" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "history_date" ON "history" USING btree ("date" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "history_entity" ON "history" USING btree ("entity","entity_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "history_changer" ON "history" USING btree ("changer_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "idempotency_keys_created" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "messages_created" ON "messages" USING btree ("created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "messages_status" ON "messages" USING btree ("status");--> statement-breakpoint
CREATE INDEX "role_methods_method" ON "role_methods" USING btree ("method_id");--> statement-breakpoint
CREATE INDEX "user_contractors_contractor" ON "user_contractors" USING btree ("contractor_id");--> statement-breakpoint
CREATE INDEX "user_identifiers_user" ON "user_identifiers" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "user_roles_role" ON "user_roles" USING btree ("role_id");--> statement-breakpoint
CREATE INDEX "users_email" ON "users" USING btree (lower("email"));--> statement-breakpoint
CREATE INDEX "users_mobile" ON "users" USING btree ("mobile");--> statement-breakpoint
CREATE UNIQUE INDEX "authentication_schemas_one_base" ON "authentication_schemas" USING btree ("base") WHERE "authentication_schemas"."base";--> statement-breakpoint
CREATE INDEX "domain_aliases_domain" ON "domain_aliases" USING btree ("domain_id");--> statement-breakpoint
CREATE UNIQUE INDEX "domains_one_base" ON "domains" USING btree ("base") WHERE "domains"."base";