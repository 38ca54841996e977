DROP INDEX "password_failures_last";--> statement-breakpoint
DROP INDEX "sessions_expires";--> statement-breakpoint
DROP INDEX "sign_in_attempts_expires";--> statement-breakpoint
DROP INDEX "messages_status";--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "kept_as" text;--> statement-breakpoint
CREATE INDEX "daily_counters_day" ON "daily_counters" USING btree ("day");--> statement-breakpoint
CREATE INDEX "invitations_over" ON "invitations" USING btree (coalesce("finished_at", "expires_at")) WHERE "invitations"."status" <> 'active';--> statement-breakpoint
CREATE INDEX "password_failures_nobody" ON "password_failures" USING btree ("last_at") WHERE "password_failures"."user_id" is null;--> statement-breakpoint
CREATE INDEX "sessions_open_expires" ON "sessions" USING btree ("expires_at","id") WHERE "sessions"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "sessions_open_access" ON "sessions" USING btree ("last_access_at","id") WHERE "sessions"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "sessions_over" ON "sessions" USING btree ("kept_as","ended_at") WHERE "sessions"."ended_at" is not null;--> statement-breakpoint
CREATE INDEX "sign_in_attempts_open" ON "sign_in_attempts" USING btree ("expires_at") WHERE "sign_in_attempts"."finished_at" is null;--> statement-breakpoint
CREATE INDEX "digests_due" ON "digests" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "messages_status_created" ON "messages" USING btree ("status","created_at");--> statement-breakpoint
CREATE INDEX "messages_content" ON "messages" USING btree ("created_at") WHERE "messages"."content" <> '';--> statement-breakpoint
CREATE INDEX "runs_created" ON "runs" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "runs_removed" ON "runs" USING btree ("id") WHERE "runs"."kind" = 'removed';