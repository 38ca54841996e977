DROP INDEX "history_date";--> statement-breakpoint
CREATE INDEX "history_entity" ON "history" USING btree ("entity","date","id");--> statement-breakpoint
CREATE INDEX "history_ip" ON "history" USING btree ("ip","date","id");--> statement-breakpoint
CREATE INDEX "history_date" ON "history" USING btree ("date","id");