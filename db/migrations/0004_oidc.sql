CREATE TYPE "public"."oidc_client_type" AS ENUM('confidential', 'public');--> statement-breakpoint
CREATE TYPE "public"."oidc_key_state" AS ENUM('next', 'active', 'retired');--> statement-breakpoint
CREATE TYPE "public"."oidc_logout_status" AS ENUM('queued', 'sent', 'failed');--> statement-breakpoint
CREATE TABLE "oidc_clients" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"application_id" uuid NOT NULL,
	"client_id" text NOT NULL,
	"name" text NOT NULL,
	"type" "oidc_client_type" NOT NULL,
	"secrets" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"redirect_uris" text[] DEFAULT '{}' NOT NULL,
	"post_logout_redirect_uris" text[] DEFAULT '{}' NOT NULL,
	"grant_types" text[] NOT NULL,
	"access_token_lifespan" integer,
	"refresh_token_lifespan" integer,
	"backchannel_logout_uri" text,
	"enabled" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "oidc_clients_client_id" UNIQUE("client_id")
);
--> statement-breakpoint
CREATE TABLE "oidc_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"state" "oidc_key_state" NOT NULL,
	"jwk" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"activated_at" timestamp with time zone,
	"retired_at" timestamp with time zone
);
--> statement-breakpoint
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
);
--> statement-breakpoint
CREATE TABLE "oidc_records" (
	"id_hash" text PRIMARY KEY NOT NULL,
	"model" text NOT NULL,
	"payload" text NOT NULL,
	"uid" text,
	"grant_id" text,
	"session_uid" text,
	"consumed_at" timestamp with time zone,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "oidc_uid" text;--> statement-breakpoint
ALTER TABLE "oidc_clients" ADD CONSTRAINT "oidc_clients_application_id_applications_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."applications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "oidc_clients_application" ON "oidc_clients" USING btree ("application_id");--> statement-breakpoint
CREATE INDEX "oidc_logouts_created" ON "oidc_logouts" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "oidc_records_uid" ON "oidc_records" USING btree ("uid");--> statement-breakpoint
CREATE INDEX "oidc_records_grant" ON "oidc_records" USING btree ("grant_id");--> statement-breakpoint
CREATE INDEX "oidc_records_session" ON "oidc_records" USING btree ("session_uid");--> statement-breakpoint
CREATE INDEX "oidc_records_expires" ON "oidc_records" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "sessions_oidc" ON "sessions" USING btree ("oidc_uid");