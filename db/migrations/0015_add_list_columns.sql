ALTER TABLE "user_settings" ADD COLUMN "columns" jsonb;--> statement-breakpoint
CREATE INDEX "invitations_open" ON "invitations" USING btree ("expires_at") WHERE "invitations"."status" = 'active';--> statement-breakpoint
CREATE INDEX "history_object_changer" ON "history" USING btree ("entity","entity_id","changer_id","id");