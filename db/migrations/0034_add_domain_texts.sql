CREATE TABLE "domain_texts" (
	"domain_id" uuid NOT NULL,
	"locale_id" uuid NOT NULL,
	"key" text NOT NULL,
	"text" text NOT NULL,
	"updated_at" timestamp with time zone DEFAULT date_trunc('milliseconds', now()) NOT NULL,
	CONSTRAINT "domain_texts_domain_id_locale_id_key_pk" PRIMARY KEY("domain_id","locale_id","key")
);
--> statement-breakpoint
ALTER TABLE "domain_texts" ADD CONSTRAINT "domain_texts_domain_id_domains_id_fk" FOREIGN KEY ("domain_id") REFERENCES "public"."domains"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "domain_texts" ADD CONSTRAINT "domain_texts_locale_id_locales_id_fk" FOREIGN KEY ("locale_id") REFERENCES "public"."locales"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "domain_texts_locale" ON "domain_texts" USING btree ("locale_id");