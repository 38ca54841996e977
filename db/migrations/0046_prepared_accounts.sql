ALTER TABLE "users" ADD COLUMN "prepared_by" uuid;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "prepared_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "mobile_entered_by" uuid;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "schema_entered_by" uuid;