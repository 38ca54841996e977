DROP INDEX "history_date";--> statement-breakpoint
DROP INDEX "history_changer";--> statement-breakpoint
CREATE INDEX "history_entity" ON "history" USING btree ("entity","date","id");--> statement-breakpoint
CREATE INDEX "history_ip" ON "history" USING btree ("ip","date","id");--> statement-breakpoint
CREATE INDEX "history_date" ON "history" USING btree ("date","id");--> statement-breakpoint
CREATE INDEX "history_changer" ON "history" USING btree ("changer_id","date","id");