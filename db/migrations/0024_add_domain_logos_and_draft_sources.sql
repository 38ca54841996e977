CREATE TABLE "draft_sources" (
	"draft_id" uuid NOT NULL,
	"domain_id" uuid NOT NULL,
	"order" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "draft_sources_draft_id_domain_id_pk" PRIMARY KEY("draft_id","domain_id")
);
--> statement-breakpoint
ALTER TABLE "domains" ADD COLUMN "logo_id" uuid;--> statement-breakpoint
ALTER TABLE "draft_sources" ADD CONSTRAINT "draft_sources_draft_id_domains_id_fk" FOREIGN KEY ("draft_id") REFERENCES "public"."domains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "draft_sources" ADD CONSTRAINT "draft_sources_domain_id_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."domains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "draft_sources_domain" ON "draft_sources" USING btree ("domain_id");--> statement-breakpoint
ALTER TABLE "domains" ADD CONSTRAINT "domains_logo_id_platform_pictures_id_fk" FOREIGN KEY ("logo_id") REFERENCES "public"."platform_pictures"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "domains_logo" ON "domains" USING btree ("logo_id");