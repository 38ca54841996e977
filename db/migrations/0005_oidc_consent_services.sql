CREATE TYPE "public"."oidc_auth_method" AS ENUM('client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none');--> statement-breakpoint
CREATE TABLE "application_service_methods" (
	"application_id" uuid NOT NULL,
	"method_id" uuid NOT NULL,
	CONSTRAINT "application_service_methods_application_id_method_id_pk" PRIMARY KEY("application_id","method_id")
);
--> statement-breakpoint
CREATE TABLE "oidc_consents" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"client_id" uuid NOT NULL,
	"scopes" text[] NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "oidc_consents_user_client" UNIQUE("user_id","client_id")
);
--> statement-breakpoint
ALTER TABLE "oidc_clients" ADD COLUMN "auth_method" "oidc_auth_method" DEFAULT 'client_secret_basic' NOT NULL;--> statement-breakpoint
UPDATE "oidc_clients" SET "auth_method" = 'none' WHERE "type" = 'public';--> statement-breakpoint
ALTER TABLE "oidc_clients" ADD COLUMN "jwks" jsonb;--> statement-breakpoint
ALTER TABLE "oidc_clients" ADD COLUMN "jwks_uri" text;--> statement-breakpoint
ALTER TABLE "oidc_records" ADD COLUMN "account_id" text;--> statement-breakpoint
ALTER TABLE "oidc_records" ADD COLUMN "client_id" text;--> statement-breakpoint
ALTER TABLE "application_service_methods" ADD CONSTRAINT "application_service_methods_application_id_applications_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."applications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "application_service_methods" ADD CONSTRAINT "application_service_methods_method_id_methods_id_fk" FOREIGN KEY ("method_id") REFERENCES "public"."methods"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oidc_consents" ADD CONSTRAINT "oidc_consents_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oidc_consents" ADD CONSTRAINT "oidc_consents_client_id_oidc_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."oidc_clients"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "application_service_methods_method" ON "application_service_methods" USING btree ("method_id");--> statement-breakpoint
CREATE INDEX "oidc_consents_client" ON "oidc_consents" USING btree ("client_id");--> statement-breakpoint
CREATE INDEX "oidc_records_account" ON "oidc_records" USING btree ("account_id","client_id");