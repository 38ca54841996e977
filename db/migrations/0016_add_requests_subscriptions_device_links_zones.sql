CREATE TYPE "public"."access_request_status" AS ENUM('considered', 'approved', 'failure', 'duplicate', 'remove');--> statement-breakpoint
ALTER TYPE "public"."link_kind" ADD VALUE 'device';--> statement-breakpoint
CREATE TABLE "access_request_roles" (
	"request_id" uuid NOT NULL,
	"role_id" uuid NOT NULL,
	CONSTRAINT "access_request_roles_request_id_role_id_pk" PRIMARY KEY("request_id","role_id")
);
--> statement-breakpoint
CREATE TABLE "access_requests" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"status" "access_request_status" DEFAULT 'considered' NOT NULL,
	"name" text NOT NULL,
	"inn" text NOT NULL,
	"kpp" text,
	"reason" text DEFAULT '' NOT NULL,
	"contractor_id" uuid,
	"decider_id" uuid,
	"domain_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone,
	"updated_at" timestamp with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL
);
--> statement-breakpoint
CREATE TABLE "subscriptions" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"choices" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"updated_at" timestamp with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL
);
--> statement-breakpoint
ALTER TABLE "digest_items" ADD COLUMN "cause" text;--> statement-breakpoint
ALTER TABLE "digest_items" ADD COLUMN "expires_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "user_settings" ADD COLUMN "time_zone" text;--> statement-breakpoint
ALTER TABLE "access_request_roles" ADD CONSTRAINT "access_request_roles_request_id_access_requests_id_fk" FOREIGN KEY ("request_id") REFERENCES "public"."access_requests"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "access_request_roles" ADD CONSTRAINT "access_request_roles_role_id_roles_id_fk" FOREIGN KEY ("role_id") REFERENCES "public"."roles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "access_requests" ADD CONSTRAINT "access_requests_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "access_requests" ADD CONSTRAINT "access_requests_contractor_id_contractors_id_fk" FOREIGN KEY ("contractor_id") REFERENCES "public"."contractors"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "access_requests" ADD CONSTRAINT "access_requests_decider_id_users_id_fk" FOREIGN KEY ("decider_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "access_requests" ADD CONSTRAINT "access_requests_domain_id_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."domains"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "access_request_roles_role" ON "access_request_roles" USING btree ("role_id");--> statement-breakpoint
CREATE UNIQUE INDEX "access_requests_considered" ON "access_requests" USING btree ("user_id","inn",coalesce("kpp", '')) WHERE "access_requests"."status" = 'considered';--> statement-breakpoint
CREATE INDEX "access_requests_user" ON "access_requests" USING btree ("user_id","created_at","id");--> statement-breakpoint
CREATE INDEX "access_requests_inn" ON "access_requests" USING btree ("inn","created_at","id");--> statement-breakpoint
CREATE INDEX "access_requests_created_at" ON "access_requests" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "access_requests_open" ON "access_requests" USING btree ("created_at","id") WHERE "access_requests"."status" = 'considered';--> statement-breakpoint
CREATE INDEX "access_requests_finished_at" ON "access_requests" USING btree ("finished_at","id");--> statement-breakpoint
CREATE INDEX "access_requests_name" ON "access_requests" USING btree ("name","id");--> statement-breakpoint
CREATE INDEX "access_requests_search" ON "access_requests" USING gin ("name" gin_trgm_ops,"inn" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "access_requests_contractor" ON "access_requests" USING btree ("contractor_id");--> statement-breakpoint
CREATE INDEX "access_requests_decider" ON "access_requests" USING btree ("decider_id");--> statement-breakpoint
CREATE INDEX "access_requests_domain" ON "access_requests" USING btree ("domain_id");--> statement-breakpoint
ALTER TABLE "digest_items" ADD CONSTRAINT "digest_items_cause" UNIQUE("user_id","cause");