CREATE TABLE "user_visits" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"visited_at" timestamp with time zone DEFAULT '-infinity' NOT NULL
);
--> statement-breakpoint
DROP INDEX "user_agreements_document";--> statement-breakpoint
ALTER TABLE "user_visits" ADD CONSTRAINT "user_visits_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "user_visits_visited" ON "user_visits" USING btree ("visited_at","user_id");--> statement-breakpoint
CREATE INDEX "oidc_records_client_grants" ON "oidc_records" USING btree ("client_id","created_at","id_hash") WHERE "oidc_records"."model" = 'Grant';--> statement-breakpoint
CREATE INDEX "history_field" ON "history" USING btree ("field") WHERE "history"."field" is not null;--> statement-breakpoint
CREATE INDEX "history_rare_type" ON "history" USING btree ("type","date","id") WHERE "history"."type" not in ('update', 'login');--> statement-breakpoint
CREATE INDEX "user_agreements_document_version" ON "user_agreements" USING btree ("document_id","version");--> statement-breakpoint
CREATE INDEX "user_agreements_document_date" ON "user_agreements" USING btree ("document_id","agreed_at");--> statement-breakpoint
CREATE INDEX "sign_in_log_cause" ON "sign_in_log" USING btree ("cause","at","id") WHERE "sign_in_log"."cause" is not null;--> statement-breakpoint
CREATE INDEX "sign_in_log_provider" ON "sign_in_log" USING btree ("provider_id","at","id") WHERE "sign_in_log"."provider_id" is not null;--> statement-breakpoint
CREATE INDEX "sign_in_log_flows" ON "sign_in_log" USING gin ("flows") WITH (fastupdate=false);--> statement-breakpoint
-- a time for each account at which somebody used it (ADR 91): triggers write it, so that the previous version does too
CREATE FUNCTION "public"."add_visits"() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_catalog, pg_temp AS $$
begin
  insert into user_visits (user_id) select id from added on conflict do nothing;
  return null;
end
$$;--> statement-breakpoint
-- an account that is used each day is written once a day
CREATE FUNCTION "public"."note_visit"() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_catalog, pg_temp AS $$
begin
  if not exists (
    select from user_visits where user_id = new.user_id and visited_at > new.last_access_at - interval '1 day'
  ) then
    insert into user_visits as stored (user_id, visited_at) values (new.user_id, new.last_access_at)
      on conflict (user_id) do update set visited_at = greatest(stored.visited_at, excluded.visited_at);
  end if;
  return null;
end
$$;--> statement-breakpoint
CREATE TRIGGER "add_visits" AFTER INSERT ON "users" REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "public"."add_visits"();--> statement-breakpoint
CREATE TRIGGER "note_visit" AFTER INSERT ON "sessions" FOR EACH ROW EXECUTE FUNCTION "public"."note_visit"();
