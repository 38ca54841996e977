CREATE INDEX "sign_in_attempts_finished" ON "sign_in_attempts" USING btree ("finished_at");--> statement-breakpoint
CREATE INDEX "sign_in_attempts_user" ON "sign_in_attempts" USING btree ("user_id");