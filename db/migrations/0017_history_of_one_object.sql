DROP INDEX "history_entity";--> statement-breakpoint
CREATE INDEX "history_object" ON "history" USING btree ("entity","entity_id","id");