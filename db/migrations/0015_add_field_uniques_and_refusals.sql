CREATE TABLE "dynamic_field_uniques" (
	"field_id" uuid NOT NULL,
	"digest" text NOT NULL,
	"user_id" uuid,
	"contractor_id" uuid,
	CONSTRAINT "dynamic_field_uniques_field_digest" PRIMARY KEY("field_id","digest"),
	CONSTRAINT "dynamic_field_uniques_owner" CHECK (num_nonnulls("dynamic_field_uniques"."user_id", "dynamic_field_uniques"."contractor_id") = 1)
);
--> statement-breakpoint
CREATE TABLE "user_agreement_refusals" (
	"user_id" uuid NOT NULL,
	"document_id" uuid NOT NULL,
	"refused_at" timestamp with time zone NOT NULL,
	CONSTRAINT "user_agreement_refusals_user_id_document_id_pk" PRIMARY KEY("user_id","document_id")
);
--> statement-breakpoint
ALTER TABLE "dynamic_fields" ADD COLUMN "pattern" text;--> statement-breakpoint
ALTER TABLE "dynamic_fields" ADD COLUMN "min_length" integer;--> statement-breakpoint
ALTER TABLE "dynamic_fields" ADD COLUMN "max_length" integer;--> statement-breakpoint
ALTER TABLE "dynamic_fields" ADD COLUMN "latin" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "dynamic_field_uniques" ADD CONSTRAINT "dynamic_field_uniques_field_id_dynamic_fields_id_fk" FOREIGN KEY ("field_id") REFERENCES "public"."dynamic_fields"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dynamic_field_uniques" ADD CONSTRAINT "dynamic_field_uniques_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dynamic_field_uniques" ADD CONSTRAINT "dynamic_field_uniques_contractor_id_contractors_id_fk" FOREIGN KEY ("contractor_id") REFERENCES "public"."contractors"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_agreement_refusals" ADD CONSTRAINT "user_agreement_refusals_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_agreement_refusals" ADD CONSTRAINT "user_agreement_refusals_document_id_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."documents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "dynamic_field_uniques_user" ON "dynamic_field_uniques" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "dynamic_field_uniques_contractor" ON "dynamic_field_uniques" USING btree ("contractor_id");--> statement-breakpoint
CREATE INDEX "user_agreement_refusals_document" ON "user_agreement_refusals" USING btree ("document_id");