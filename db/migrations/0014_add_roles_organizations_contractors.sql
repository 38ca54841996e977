-- for searches within names; the owner of the database may create this extension, because it is a trusted one
CREATE EXTENSION IF NOT EXISTS pg_trgm;--> statement-breakpoint
ALTER TABLE "contractors" DROP CONSTRAINT "contractors_inn_kpp";--> statement-breakpoint
DROP INDEX "history_entity";--> statement-breakpoint
DROP INDEX "user_contractor_roles_organization";--> statement-breakpoint
DROP INDEX "user_contractor_roles_role";--> statement-breakpoint
DROP INDEX "user_roles_role";--> statement-breakpoint
DROP INDEX "user_roles_organization";--> statement-breakpoint
ALTER TABLE "contractors" ADD COLUMN "values" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "code" text;--> statement-breakpoint
ALTER TABLE "roles" ADD COLUMN "enabled" boolean DEFAULT true NOT NULL;--> statement-breakpoint
CREATE INDEX "history_object" ON "history" USING btree ("entity","entity_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "contractors_inn_kpp" ON "contractors" USING btree ("inn",coalesce("kpp", ''));--> statement-breakpoint
CREATE INDEX "contractors_name" ON "contractors" USING btree ("name","id");--> statement-breakpoint
CREATE INDEX "contractors_name_search" ON "contractors" USING gin ("name" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "contractors_inn_search" ON "contractors" USING gin ("inn" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "contractors_kpp_search" ON "contractors" USING gin ("kpp" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "contractors_external_code_search" ON "contractors" USING gin ("external_code" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "contractors_updated_at" ON "contractors" USING btree ("updated_at","id");--> statement-breakpoint
CREATE INDEX "contractors_inn" ON "contractors" USING btree ("inn","id");--> statement-breakpoint
CREATE INDEX "user_contractor_roles_organization_role" ON "user_contractor_roles" USING btree ("organization_id","role_id");--> statement-breakpoint
CREATE INDEX "user_contractor_roles_contractor_role" ON "user_contractor_roles" USING btree ("contractor_id","role_id");--> statement-breakpoint
CREATE INDEX "user_contractor_roles_role_user" ON "user_contractor_roles" USING btree ("role_id","user_id");--> statement-breakpoint
CREATE INDEX "user_roles_role_user" ON "user_roles" USING btree ("role_id","user_id");--> statement-breakpoint
CREATE INDEX "user_roles_organization_role" ON "user_roles" USING btree ("organization_id","role_id");--> statement-breakpoint
CREATE INDEX "users_fio" ON "users" USING btree ("fio","id");--> statement-breakpoint
CREATE INDEX "users_search" ON "users" USING gin ("fio" gin_trgm_ops,"login" gin_trgm_ops,"email" gin_trgm_ops);--> statement-breakpoint
ALTER TABLE "organizations" ADD CONSTRAINT "organizations_code" UNIQUE("code");