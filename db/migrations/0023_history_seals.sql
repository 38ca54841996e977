CREATE TYPE "public"."seal_kind" AS ENUM('rows', 'retention');--> statement-breakpoint
CREATE TABLE "history_seals" (
	"seq" bigint PRIMARY KEY NOT NULL,
	"sealed_at" timestamp with time zone NOT NULL,
	"kind" "seal_kind" NOT NULL,
	"before" timestamp with time zone,
	"count" integer DEFAULT 0 NOT NULL,
	"newest" bigint,
	"foreign_rows" bigint[] DEFAULT '{}' NOT NULL,
	"lost_rows" bigint[] DEFAULT '{}' NOT NULL,
	"root" text NOT NULL,
	"digest" text NOT NULL,
	"mac" text NOT NULL,
	"ids" bigint[],
	"moments" bigint[],
	"salts" uuid[],
	"digests" text[],
	"oldest" bigint
);
--> statement-breakpoint
CREATE TABLE "history_unsealed" (
	"id" bigint PRIMARY KEY NOT NULL,
	"until" bigint NOT NULL,
	"inserted_by" text
);
--> statement-breakpoint
CREATE INDEX "history_seals_oldest" ON "history_seals" USING btree ("oldest");--> statement-breakpoint
CREATE INDEX "history_seals_kind" ON "history_seals" USING btree ("kind","seq");--> statement-breakpoint
-- as the owner: the application's role can't put a row in, so it can't have a row sealed twice
CREATE FUNCTION "public"."queue_history_row"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
begin
  insert into public.history_unsealed (id, until, inserted_by) select id, id, session_user from added;
  return null;
end
$$;--> statement-breakpoint
CREATE TRIGGER "queue_history_row" AFTER INSERT ON "history" REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "public"."queue_history_row"();--> statement-breakpoint
-- the trigger waited for every writer, so these are all rows from before it
INSERT INTO "history_unsealed" ("id", "until") SELECT min(id), max(id) FROM "history" HAVING max(id) IS NOT NULL;--> statement-breakpoint
-- removes the rows of one seal that are older than the moment; how many were due, 0 if no seal has any
CREATE FUNCTION "public"."remove_old_history"(cutoff timestamp with time zone) RETURNS integer LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
declare
  seal record;
  due integer;
  at bigint := (extract(epoch from cutoff) * 1000000)::bigint;
begin
  if cutoff is null or cutoff > now() - interval '45 days' then
    raise exception 'the history of the last 45 days is kept' using errcode = '22023';
  end if;
  if not exists (select from public.history_seals where kind = 'retention' and before >= cutoff) then
    raise exception 'no entry of the chain says that rows from before this moment are removed' using errcode = '55000';
  end if;
  select seq, ids, moments into seal from public.history_seals where oldest < at order by oldest limit 1 for update;
  if not found then
    return 0;
  end if;
  -- its own date too: whoever may add a seal could write any moment there
  delete from public.history h using unnest(seal.ids, seal.moments) as sealed (id, moment)
    where h.id = sealed.id and sealed.moment < at and h.date < cutoff;
  select count(*) into due from unnest(seal.moments) as moment where moment < at;
  if due = cardinality(seal.ids) then
    update public.history_seals set ids = null, moments = null, salts = null, digests = null, oldest = null
      where seq = seal.seq;
  else
    update public.history_seals s set
      salts = (select array_agg(case when s.moments[n] < at then null else s.salts[n] end order by n)
        from generate_subscripts(s.ids, 1) n),
      oldest = (select min(moment) from unnest(s.moments) as moment where moment >= at)
      where s.seq = seal.seq;
  end if;
  return due;
end
$$;--> statement-breakpoint
REVOKE ALL ON FUNCTION "public"."remove_old_history"(timestamp with time zone) FROM public;
