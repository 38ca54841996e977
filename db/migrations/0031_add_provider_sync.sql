CREATE TYPE "public"."provider_mapper_type" AS ENUM('users-base', 'users-access');--> statement-breakpoint
CREATE TYPE "public"."sync_period_amount" AS ENUM('minutes', 'hours', 'days');--> statement-breakpoint
CREATE TABLE "provider_calls" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"provider_id" uuid NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"method" text NOT NULL,
	"path" text NOT NULL,
	"status" integer,
	"duration" integer NOT NULL,
	"fault" text
);
--> statement-breakpoint
CREATE TABLE "provider_mappers" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"sync_id" uuid NOT NULL,
	"type" "provider_mapper_type" NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"name" text NOT NULL,
	"before" text DEFAULT '' NOT NULL,
	"after" text NOT NULL,
	"custom_attributes" boolean DEFAULT false NOT NULL,
	"attributes" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL,
	CONSTRAINT "provider_mappers_name" UNIQUE("sync_id","name")
);
--> statement-breakpoint
CREATE TABLE "provider_syncs" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"provider_id" uuid NOT NULL,
	"type" text DEFAULT 'users' NOT NULL,
	"enabled" boolean DEFAULT false NOT NULL,
	"period_unit" integer DEFAULT 0 NOT NULL,
	"period_amount" "sync_period_amount" DEFAULT 'hours' NOT NULL,
	"sync_limit" integer DEFAULT 50 NOT NULL,
	"actor_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL,
	CONSTRAINT "provider_syncs_provider_type" UNIQUE("provider_id","type")
);
--> statement-breakpoint
ALTER TABLE "runs" ALTER COLUMN "user_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "disabled_by_provider" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "subject" text;--> statement-breakpoint
ALTER TABLE "provider_calls" ADD CONSTRAINT "provider_calls_provider_id_providers_id_fk" FOREIGN KEY ("provider_id") REFERENCES "public"."providers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provider_mappers" ADD CONSTRAINT "provider_mappers_sync_id_provider_syncs_id_fk" FOREIGN KEY ("sync_id") REFERENCES "public"."provider_syncs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provider_syncs" ADD CONSTRAINT "provider_syncs_provider_id_providers_id_fk" FOREIGN KEY ("provider_id") REFERENCES "public"."providers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provider_syncs" ADD CONSTRAINT "provider_syncs_actor_id_users_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "provider_calls_provider" ON "provider_calls" USING btree ("provider_id","at","id");--> statement-breakpoint
CREATE INDEX "provider_calls_at" ON "provider_calls" USING btree ("at");--> statement-breakpoint
CREATE INDEX "provider_syncs_actor" ON "provider_syncs" USING btree ("actor_id");--> statement-breakpoint
CREATE INDEX "runs_subject" ON "runs" USING btree ("subject","kind","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "runs_subject_running" ON "runs" USING btree ("subject","kind") WHERE "runs"."state" = 'running';