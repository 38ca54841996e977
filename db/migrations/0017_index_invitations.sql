CREATE INDEX "invitations_created_at" ON "invitations" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "invitations_expires_at" ON "invitations" USING btree ("expires_at","id");--> statement-breakpoint
CREATE INDEX "invitations_search" ON "invitations" USING gin ("email" gin_trgm_ops);