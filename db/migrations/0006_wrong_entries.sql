CREATE TABLE "password_failures" (
	"key" text PRIMARY KEY NOT NULL,
	"user_id" uuid,
	"count" integer NOT NULL,
	"last_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "wrong_codes" (
	"key" text PRIMARY KEY NOT NULL,
	"entries" timestamp with time zone[] NOT NULL,
	"last_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "password_failures_user" ON "password_failures" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "password_failures_last" ON "password_failures" USING btree ("last_at");--> statement-breakpoint
CREATE INDEX "wrong_codes_last" ON "wrong_codes" USING btree ("last_at");