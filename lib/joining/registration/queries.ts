import { eq, sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { links } from '@/db/schema/entry'

/** Stores the mobile for which a code was requested at a link. It doesn't replace a proven mobile. */
export const storeAskedMobile = (linkId: string, mobile: string) =>
  db()
    .update(links)
    .set({ data: sql`coalesce(${links.data}, '{}') || jsonb_build_object('asked', ${mobile}::text)` })
    .where(eq(links.id, linkId))
