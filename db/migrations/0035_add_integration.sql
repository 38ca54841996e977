CREATE TYPE "public"."integration_auth" AS ENUM('none', 'bearer', 'basic', 'header');--> statement-breakpoint
CREATE TYPE "public"."integration_status" AS ENUM('wait', 'success', 'error');--> statement-breakpoint
CREATE TABLE "integration_exchanges" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"key" text NOT NULL,
	"status" "integration_status" DEFAULT 'wait' NOT NULL,
	"run_id" uuid,
	"method" text NOT NULL,
	"url" text NOT NULL,
	"http_status" integer,
	"duration" integer,
	"fault" text,
	"request" text NOT NULL,
	"response" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL
);
--> statement-breakpoint
CREATE TABLE "integration_syncs" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"key" text NOT NULL,
	"enabled" boolean DEFAULT false NOT NULL,
	"url" text DEFAULT '' NOT NULL,
	"auth" "integration_auth" DEFAULT 'none' NOT NULL,
	"auth_name" text DEFAULT '' NOT NULL,
	"secret" text,
	"period_unit" integer DEFAULT 0 NOT NULL,
	"period_amount" "sync_period_amount" DEFAULT 'hours' NOT NULL,
	"page_size" integer DEFAULT 100 NOT NULL,
	"actor_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL,
	CONSTRAINT "integration_syncs_key" UNIQUE("key")
);
--> statement-breakpoint
ALTER TABLE "integration_syncs" ADD CONSTRAINT "integration_syncs_actor_id_users_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "integration_exchanges_updated_at" ON "integration_exchanges" USING btree ("updated_at","id");--> statement-breakpoint
CREATE INDEX "integration_exchanges_created_at" ON "integration_exchanges" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "integration_exchanges_key" ON "integration_exchanges" USING btree ("key","updated_at","id");--> statement-breakpoint
CREATE INDEX "integration_exchanges_waiting" ON "integration_exchanges" USING btree ("created_at") WHERE "integration_exchanges"."status" = 'wait';--> statement-breakpoint
CREATE INDEX "integration_syncs_actor" ON "integration_syncs" USING btree ("actor_id");