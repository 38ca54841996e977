CREATE TYPE "public"."check_status" AS ENUM('up', 'down');--> statement-breakpoint
CREATE TYPE "public"."license_state" AS ENUM('valid', 'invalid', 'expired');--> statement-breakpoint
CREATE TABLE "found_versions" (
	"key" text PRIMARY KEY NOT NULL,
	"application_id" uuid,
	"version" text,
	"error" text,
	"checked_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "licenses" (
	"id" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"key" text NOT NULL,
	"domain" text NOT NULL,
	"owner" text NOT NULL,
	"expires_at" timestamp with time zone,
	"sessions" integer,
	"state" "license_state" NOT NULL,
	"checked_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL,
	CONSTRAINT "licenses_one" CHECK ("licenses"."id")
);
--> statement-breakpoint
CREATE TABLE "monitoring_checks" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"key" text NOT NULL,
	"kind" text NOT NULL,
	"application_id" uuid,
	"name" text DEFAULT '' NOT NULL,
	"name_en" text,
	"description" text DEFAULT '' NOT NULL,
	"description_en" text,
	"critical" integer NOT NULL,
	"status" "check_status" DEFAULT 'up' NOT NULL,
	"doubts" integer DEFAULT 0 NOT NULL,
	"counted_at" timestamp with time zone,
	"stuck_count" integer DEFAULT 0 NOT NULL,
	"checked_at" timestamp with time zone,
	"latency" integer,
	"error_at" timestamp with time zone,
	"last_error" text,
	"changed_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "monitoring_checks_key" UNIQUE("key")
);
--> statement-breakpoint
CREATE TABLE "monitoring_slots" (
	"check_id" uuid NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"checks" integer NOT NULL,
	"failures" integer NOT NULL,
	"stuck" integer NOT NULL,
	"total" bigint NOT NULL,
	"worst" integer NOT NULL,
	CONSTRAINT "monitoring_slots_check_id_at_pk" PRIMARY KEY("check_id","at")
);
--> statement-breakpoint
CREATE TABLE "monitoring_turns" (
	"id" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"started_at" timestamp with time zone,
	"done_at" timestamp with time zone,
	"next_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "monitoring_turns_one" CHECK ("monitoring_turns"."id")
);
--> statement-breakpoint
ALTER TABLE "found_versions" ADD CONSTRAINT "found_versions_application_id_applications_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."applications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "monitoring_checks" ADD CONSTRAINT "monitoring_checks_application_id_applications_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."applications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "monitoring_slots" ADD CONSTRAINT "monitoring_slots_check_id_monitoring_checks_id_fk" FOREIGN KEY ("check_id") REFERENCES "public"."monitoring_checks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "found_versions_application" ON "found_versions" USING btree ("application_id");--> statement-breakpoint
CREATE INDEX "monitoring_checks_application" ON "monitoring_checks" USING btree ("application_id");--> statement-breakpoint
CREATE INDEX "monitoring_slots_at" ON "monitoring_slots" USING btree ("at");