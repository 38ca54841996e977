ALTER TABLE "contractors" DROP CONSTRAINT "contractors_inn_kpp";--> statement-breakpoint
CREATE UNIQUE INDEX "contractors_inn_kpp" ON "contractors" USING btree ("inn",coalesce("kpp", ''));--> statement-breakpoint
CREATE INDEX "contractors_kpp_search" ON "contractors" USING gin ("kpp" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "contractors_external_code_search" ON "contractors" USING gin ("external_code" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "contractors_updated_at" ON "contractors" USING btree ("updated_at","id");--> statement-breakpoint
CREATE INDEX "contractors_inn" ON "contractors" USING btree ("inn","id");