import { randomUUID } from 'node:crypto'
import { inArray } from 'drizzle-orm'
import * as client from 'openid-client'
import { db } from '@/db/client'
import { methods } from '@/db/schema'
import { systemicMethods } from '@/lib/base/access/access-methods'
import type { Contract } from '@/lib/base/contracts/contract'
import type { RouteHandler } from '@/lib/base/http/route'
import { updateServiceMethods } from '@/lib/openid/service-accounts/service'
import { type Answered, Browser } from './browser'
import { createContext } from './context'
import { createClient, type startProvider } from './oidc'

type Running = Awaited<ReturnType<typeof startProvider>>

/** Gives an application's service account only these methods, as somebody who holds all. */
export async function holdMethods(applicationId: string, codes: readonly string[]) {
  const rows = codes.length
    ? await db()
        .select({ id: methods.id })
        .from(methods)
        .where(inArray(methods.code, [...codes]))
    : []
  const ctx = await createContext({ methods: [...systemicMethods] })
  await updateServiceMethods(ctx, { applicationId, methodIds: rows.map(({ id }) => id) })
}

/** An application whose service account holds these methods, with a client and a token. */
export async function createServiceAccount(
  running: Running,
  codes: readonly string[] = [],
  values: Parameters<typeof createClient>[1] = {},
) {
  const made = await createClient(running, {
    secret: `secret ${randomUUID()}`,
    redirectUris: [],
    grantTypes: ['client_credentials'],
    ...values,
  })
  await holdMethods(made.application.id, codes)
  const { access_token: token } = await client.clientCredentialsGrant(made.config)
  return { ...made, token }
}

type Sent = Parameters<Browser['send']>[2] & { ip?: string; browser?: Browser; scheme?: string }

/** Makes a call as a program does: with a bearer token, and no headers of a browser. */
export const callAs = (
  token: string,
  handler: RouteHandler,
  { method }: Pick<Contract, 'method'>,
  { ip, browser = new Browser('localhost:3000', ip, 'warehouse-sync/1.0'), scheme = 'Bearer', ...what }: Sent = {},
): Promise<Answered> =>
  browser.send(handler, method, {
    ...what,
    headers: { authorization: `${scheme} ${token}`, 'sec-fetch-site': '', ...what.headers },
  })
