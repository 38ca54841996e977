ALTER TABLE "user_contractors" ADD COLUMN "roles_held" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "user_contractors_without_role" ON "user_contractors" USING btree ("contractor_id","user_id") WHERE roles_held = 0;--> statement-breakpoint
CREATE INDEX "users_disabled" ON "users" USING btree ("fio","id") WHERE not enabled;--> statement-breakpoint
-- memberships are changed in one order, so that two writers of the same people don't wait for each other in a circle
CREATE FUNCTION "public"."count_held_roles"() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_catalog, pg_temp AS $$
begin
  if tg_op = 'INSERT' then
    perform from user_contractors uc where (uc.user_id, uc.contractor_id) in (select user_id, contractor_id from added)
      order by uc.user_id, uc.contractor_id for no key update;
    update user_contractors uc set roles_held = uc.roles_held + n
      from (select user_id, contractor_id, count(*)::int as n from added group by 1, 2) c
      where uc.user_id = c.user_id and uc.contractor_id = c.contractor_id;
  else
    perform from user_contractors uc where (uc.user_id, uc.contractor_id) in (select user_id, contractor_id from removed)
      order by uc.user_id, uc.contractor_id for no key update;
    update user_contractors uc set roles_held = uc.roles_held - n
      from (select user_id, contractor_id, count(*)::int as n from removed group by 1, 2) c
      where uc.user_id = c.user_id and uc.contractor_id = c.contractor_id;
  end if;
  return null;
end
$$;--> statement-breakpoint
-- who moves a role to another person or contractor deletes it and inserts it again
CREATE FUNCTION "public"."refuse_moved_role"() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_catalog, pg_temp AS $$
begin
  raise exception 'a role is not moved to another membership: delete it and insert it again';
end
$$;--> statement-breakpoint
CREATE TRIGGER "count_added_roles" AFTER INSERT ON "user_contractor_roles" REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "public"."count_held_roles"();--> statement-breakpoint
CREATE TRIGGER "count_removed_roles" AFTER DELETE ON "user_contractor_roles" REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION "public"."count_held_roles"();--> statement-breakpoint
CREATE TRIGGER "refuse_moved_role" BEFORE UPDATE OF "user_id", "contractor_id" ON "user_contractor_roles" FOR EACH ROW WHEN (OLD.user_id <> NEW.user_id OR OLD.contractor_id <> NEW.contractor_id) EXECUTE FUNCTION "public"."refuse_moved_role"();--> statement-breakpoint
-- the triggers waited for every writer, so these are all roles from before them
UPDATE "user_contractors" uc SET "roles_held" = c.n FROM (SELECT user_id, contractor_id, count(*)::int AS n FROM "user_contractor_roles" GROUP BY 1, 2) c WHERE uc.user_id = c.user_id AND uc.contractor_id = c.contractor_id;
