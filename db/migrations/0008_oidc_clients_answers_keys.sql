CREATE TYPE "public"."oidc_application_type" AS ENUM('web', 'native');--> statement-breakpoint
CREATE TABLE "oidc_algorithm_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"state" "oidc_key_state" NOT NULL,
	"jwk" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"activated_at" timestamp with time zone,
	"retired_at" timestamp with time zone,
	"alg" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "oidc_answers" (
	"id_hash" text PRIMARY KEY NOT NULL,
	"answer" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "oidc_clients" ADD COLUMN "application_type" "oidc_application_type" DEFAULT 'web' NOT NULL;--> statement-breakpoint
ALTER TABLE "oidc_clients" ADD COLUMN "pkce_required" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "oidc_clients" ADD COLUMN "id_token_alg" text DEFAULT 'RS256' NOT NULL;--> statement-breakpoint
CREATE INDEX "oidc_answers_expires" ON "oidc_answers" USING btree ("expires_at");