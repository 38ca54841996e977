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
ALTER TABLE "field_pictures" ADD CONSTRAINT "field_pictures_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "field_pictures" ADD CONSTRAINT "field_pictures_contractor_id_contractors_id_fk" FOREIGN KEY ("contractor_id") REFERENCES "public"."contractors"("id") ON DELETE cascade ON UPDATE no action;