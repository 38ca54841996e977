ALTER TABLE "oidc_clients" ALTER COLUMN "updated_at" SET DEFAULT date_trunc('milliseconds', now());--> statement-breakpoint
ALTER TABLE "oidc_consents" ALTER COLUMN "updated_at" SET DEFAULT date_trunc('milliseconds', now());--> statement-breakpoint
ALTER TABLE "users" ALTER COLUMN "updated_at" SET DEFAULT date_trunc('milliseconds', now());--> statement-breakpoint
ALTER TABLE "device_types" ALTER COLUMN "updated_at" SET DEFAULT date_trunc('milliseconds', now());--> statement-breakpoint
ALTER TABLE "documents" ALTER COLUMN "updated_at" SET DEFAULT date_trunc('milliseconds', now());--> statement-breakpoint
ALTER TABLE "network_aliases" ALTER COLUMN "updated_at" SET DEFAULT date_trunc('milliseconds', now());--> statement-breakpoint
ALTER TABLE "settings" ALTER COLUMN "updated_at" SET DEFAULT date_trunc('milliseconds', now());--> statement-breakpoint
ALTER TABLE "dynamic_field_subtypes" ADD COLUMN "updated_at" timestamp with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL;--> statement-breakpoint
ALTER TABLE "dynamic_field_tabs" ADD COLUMN "updated_at" timestamp with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL;--> statement-breakpoint
ALTER TABLE "dynamic_fields" ADD COLUMN "updated_at" timestamp with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL;--> statement-breakpoint
ALTER TABLE "invitations" ADD COLUMN "updated_at" timestamp with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL;--> statement-breakpoint
ALTER TABLE "contractors" ADD COLUMN "updated_at" timestamp with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL;--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "updated_at" timestamp with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL;--> statement-breakpoint
ALTER TABLE "providers" ADD COLUMN "updated_at" timestamp with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL;--> statement-breakpoint
ALTER TABLE "roles" ADD COLUMN "updated_at" timestamp with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL;--> statement-breakpoint
ALTER TABLE "access_list_entries" ADD COLUMN "updated_at" timestamp with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL;--> statement-breakpoint
ALTER TABLE "applications" ADD COLUMN "updated_at" timestamp with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL;--> statement-breakpoint
ALTER TABLE "authentication_schemas" ADD COLUMN "updated_at" timestamp with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL;--> statement-breakpoint
ALTER TABLE "banners" ADD COLUMN "updated_at" timestamp with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL;--> statement-breakpoint
ALTER TABLE "domains" ADD COLUMN "updated_at" timestamp with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL;--> statement-breakpoint
ALTER TABLE "locales" ADD COLUMN "updated_at" timestamp with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL;--> statement-breakpoint
CREATE INDEX "dynamic_field_subtypes_tab" ON "dynamic_field_subtypes" USING btree ("tab_id");--> statement-breakpoint
CREATE INDEX "dynamic_fields_subtype" ON "dynamic_fields" USING btree ("type","subtype");--> statement-breakpoint
CREATE INDEX "invitation_roles_organization" ON "invitation_roles" USING btree ("organization_id");--> statement-breakpoint
CREATE INDEX "invitation_roles_role" ON "invitation_roles" USING btree ("role_id");--> statement-breakpoint
CREATE INDEX "invitations_user" ON "invitations" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "invitations_domain" ON "invitations" USING btree ("domain_id");--> statement-breakpoint
CREATE INDEX "links_domain" ON "links" USING btree ("domain_id");--> statement-breakpoint
CREATE INDEX "sessions_domain" ON "sessions" USING btree ("domain_id");--> statement-breakpoint
CREATE INDEX "sessions_provider" ON "sessions" USING btree ("provider_id");--> statement-breakpoint
CREATE INDEX "sign_in_attempts_domain" ON "sign_in_attempts" USING btree ("domain_id");--> statement-breakpoint
CREATE INDEX "messages_user" ON "messages" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "authentication_schema_roles_role" ON "authentication_schema_roles" USING btree ("role_id");--> statement-breakpoint
CREATE INDEX "contractor_organizations_organization" ON "contractor_organizations" USING btree ("organization_id");--> statement-breakpoint
CREATE INDEX "provider_domains_domain" ON "provider_domains" USING btree ("domain_id");--> statement-breakpoint
CREATE INDEX "user_agreements_document" ON "user_agreements" USING btree ("document_id");--> statement-breakpoint
CREATE INDEX "user_contractor_roles_organization" ON "user_contractor_roles" USING btree ("organization_id");--> statement-breakpoint
CREATE INDEX "user_contractor_roles_role" ON "user_contractor_roles" USING btree ("role_id");--> statement-breakpoint
CREATE INDEX "user_roles_organization" ON "user_roles" USING btree ("organization_id");--> statement-breakpoint
CREATE INDEX "users_authentication_schema" ON "users" USING btree ("authentication_schema_id");--> statement-breakpoint
CREATE INDEX "application_domains_domain" ON "application_domains" USING btree ("domain_id");--> statement-breakpoint
CREATE INDEX "applications_parent" ON "applications" USING btree ("parent_id");--> statement-breakpoint
CREATE INDEX "document_locales_locale" ON "document_locales" USING btree ("locale_id");--> statement-breakpoint
CREATE INDEX "domain_agreements_document" ON "domain_agreements" USING btree ("document_id");--> statement-breakpoint
CREATE INDEX "domain_documents_document" ON "domain_documents" USING btree ("document_id");--> statement-breakpoint
CREATE INDEX "domain_locales_locale" ON "domain_locales" USING btree ("locale_id");