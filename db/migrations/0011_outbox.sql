CREATE TYPE "public"."delivery_state" AS ENUM('waiting', 'delivered', 'dead', 'skipped');--> statement-breakpoint
CREATE TABLE "housekeeping_steps" (
	"name" text PRIMARY KEY NOT NULL,
	"done_at" timestamp with time zone,
	"failures" bigint DEFAULT 0 NOT NULL,
	"failed_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "outbox_deliveries" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"event_id" bigint NOT NULL,
	"handler" text NOT NULL,
	"entity" text NOT NULL,
	"entity_id" text NOT NULL,
	"state" "delivery_state" DEFAULT 'waiting' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"try_at" timestamp with time zone DEFAULT now() NOT NULL,
	"error" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "outbox_events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "outbox_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"topic" text NOT NULL,
	"type" text,
	"entity" text NOT NULL,
	"entity_id" text NOT NULL,
	"payload" jsonb NOT NULL,
	"changer_id" uuid,
	"request_id" text NOT NULL,
	"date" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "outbox_deliveries" ADD CONSTRAINT "outbox_deliveries_event_id_outbox_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."outbox_events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "outbox_deliveries_event" ON "outbox_deliveries" USING btree ("event_id","handler");--> statement-breakpoint
CREATE INDEX "outbox_deliveries_open" ON "outbox_deliveries" USING btree ("handler","entity","entity_id","event_id") WHERE "outbox_deliveries"."state" in ('waiting', 'dead');--> statement-breakpoint
CREATE INDEX "outbox_deliveries_finished" ON "outbox_deliveries" USING btree ("finished_at");--> statement-breakpoint
CREATE INDEX "outbox_events_date" ON "outbox_events" USING btree ("date");