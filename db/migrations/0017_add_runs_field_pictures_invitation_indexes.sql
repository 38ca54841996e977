CREATE TYPE "public"."run_row_state" AS ENUM('waiting', 'done', 'failed');--> statement-breakpoint
CREATE TYPE "public"."run_state" AS ENUM('running', 'stopped', 'done');--> statement-breakpoint
CREATE TABLE "field_pictures" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"code" text NOT NULL,
	"user_id" uuid,
	"contractor_id" uuid,
	"small" "bytea" NOT NULL,
	"large" "bytea" NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "field_pictures_user" UNIQUE("user_id","code"),
	CONSTRAINT "field_pictures_contractor" UNIQUE("contractor_id","code"),
	CONSTRAINT "field_pictures_owner" CHECK (num_nonnulls("field_pictures"."user_id", "field_pictures"."contractor_id") = 1)
);
--> statement-breakpoint
CREATE TABLE "run_rows" (
	"run_id" uuid NOT NULL,
	"row" integer NOT NULL,
	"state" "run_row_state" DEFAULT 'waiting' NOT NULL,
	"title" text NOT NULL,
	"input" jsonb NOT NULL,
	"fault" text,
	"params" jsonb,
	"tries" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "run_rows_run_id_row_pk" PRIMARY KEY("run_id","row")
);
--> statement-breakpoint
CREATE TABLE "runs" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"kind" text NOT NULL,
	"user_id" uuid NOT NULL,
	"state" "run_state" DEFAULT 'running' NOT NULL,
	"options" jsonb NOT NULL,
	"total" integer NOT NULL,
	"done" integer NOT NULL,
	"failed" integer NOT NULL,
	"worked" integer DEFAULT 0 NOT NULL,
	"resumed_at" timestamp with time zone DEFAULT now() NOT NULL,
	"fault" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone,
	"updated_at" timestamp with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL
);
--> statement-breakpoint
ALTER TABLE "field_pictures" ADD CONSTRAINT "field_pictures_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "field_pictures" ADD CONSTRAINT "field_pictures_contractor_id_contractors_id_fk" FOREIGN KEY ("contractor_id") REFERENCES "public"."contractors"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "run_rows" ADD CONSTRAINT "run_rows_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "run_rows_waiting" ON "run_rows" USING btree ("run_id","row") WHERE "run_rows"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "run_rows_failed" ON "run_rows" USING btree ("run_id","row") WHERE "run_rows"."state" = 'failed';--> statement-breakpoint
CREATE INDEX "runs_user" ON "runs" USING btree ("user_id","kind","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "runs_running" ON "runs" USING btree ("user_id","kind") WHERE "runs"."state" = 'running';--> statement-breakpoint
CREATE INDEX "invitations_created_at" ON "invitations" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "invitations_expires_at" ON "invitations" USING btree ("expires_at","id");--> statement-breakpoint
CREATE INDEX "invitations_search" ON "invitations" USING gin ("email" gin_trgm_ops);