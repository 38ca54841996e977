-- search within names; a trusted extension: the owner of the database may create it
CREATE EXTENSION IF NOT EXISTS pg_trgm;--> statement-breakpoint
ALTER TABLE "contractors" ADD COLUMN "values" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "code" text;--> statement-breakpoint
ALTER TABLE "roles" ADD COLUMN "enabled" boolean DEFAULT true NOT NULL;--> statement-breakpoint
CREATE INDEX "contractors_name" ON "contractors" USING btree ("name","id");--> statement-breakpoint
CREATE INDEX "contractors_name_search" ON "contractors" USING gin ("name" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "contractors_inn_search" ON "contractors" USING gin ("inn" gin_trgm_ops);--> statement-breakpoint
ALTER TABLE "organizations" ADD CONSTRAINT "organizations_code" UNIQUE("code");