DROP INDEX "user_contractor_roles_organization";--> statement-breakpoint
DROP INDEX "user_contractor_roles_role";--> statement-breakpoint
DROP INDEX "user_roles_role";--> statement-breakpoint
DROP INDEX "user_roles_organization";--> statement-breakpoint
CREATE INDEX "user_contractor_roles_organization_role" ON "user_contractor_roles" USING btree ("organization_id","role_id");--> statement-breakpoint
CREATE INDEX "user_contractor_roles_contractor_role" ON "user_contractor_roles" USING btree ("contractor_id","role_id");--> statement-breakpoint
CREATE INDEX "user_contractor_roles_role_user" ON "user_contractor_roles" USING btree ("role_id","user_id");--> statement-breakpoint
CREATE INDEX "user_roles_role_user" ON "user_roles" USING btree ("role_id","user_id");--> statement-breakpoint
CREATE INDEX "user_roles_organization_role" ON "user_roles" USING btree ("organization_id","role_id");--> statement-breakpoint
CREATE INDEX "users_fio" ON "users" USING btree ("fio","id");--> statement-breakpoint
CREATE INDEX "users_search" ON "users" USING gin ("fio" gin_trgm_ops,"login" gin_trgm_ops,"email" gin_trgm_ops);