import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { documentLocales, documents, domainAgreements, domains, sessions, userAgreements } from '@/db/schema'
import { createDomainWith, first, localeId } from './platform'

export const baseDomainId = async () =>
  first(await db().select({ id: domains.id }).from(domains).where(eq(domains.base, true))).id

/** Creates a domain that asks for agreements; the base one would ask everybody who signs in. */
export const askingDomain = () => createDomainWith({ hosts: [`asks-${randomUUID().slice(0, 8)}.localhost`] })

/** Stores that a person signed in at a domain some minutes ago. */
export async function signedInAt(userId: string, domainId: string | null, minutes = 1) {
  const at = new Date(Date.now() - minutes * 60_000)
  await db()
    .insert(sessions)
    .values({ userId, domainId, createdAt: at, expiresAt: at, ip: '203.0.113.9', deviceType: 'desktop' })
}

/** Creates an agreement in its version 1 that these domains ask for at sign-in. */
export async function requiredAgreement(asking: readonly string[]) {
  const code = `agreement-${randomUUID().slice(0, 8)}`
  const name = `Правила ${code}`
  const { id } = first(await db().insert(documents).values({ code, type: 'agreement' }).returning())
  const text = { name, linkName: 'правила', content: 'Текст', localeId: await localeId('ru') }
  await db()
    .insert(documentLocales)
    .values({ ...text, documentId: id, version: 1 })
  for (const domainId of asking)
    await db().insert(domainAgreements).values({ domainId, documentId: id, loginRequired: true })
  return { id, code, name }
}

/** Stores that a person agreed to a version. */
export const agreed = (userId: string, documentId: string, version: number, agreedAt = new Date()) =>
  db().insert(userAgreements).values({ userId, documentId, version, agreedAt, ip: '203.0.113.9' })
