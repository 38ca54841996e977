import { z } from 'zod'
import type { Transaction } from '@/db/client'
import { accessOf } from '@/lib/access/roles/service'
import { type BatchKinds, BatchStopped } from '@/lib/base/batch-jobs/process-rows'
import { holdsMethod } from '@/lib/base/context/access'
import { emit } from '@/lib/base/events/events'
import { nameAmong } from '@/lib/base/i18n/local-name'
import { languageFrom } from '@/lib/base/mail-and-sms/queue'
import { AppError } from '@/lib/base/runtime/errors'
import { sendMail } from '@/lib/messaging/sender/service'
import { RunOrigin, runContext } from '@/lib/site/domains/run-context'
import { servedDomain } from '@/lib/site/domains/service'
import { campaignOf } from './asked'
import { isEnabled, selectIfUnanswered, selectNames, storeReminder } from './queries'

/** The options of every row, with the context of the person who started the batch job. */
const Options = RunOrigin.extend({ documentId: z.string(), version: z.number(), repeat: z.boolean() })
const Row = z.object({ userId: z.string() })

/**
 * Reminds people of an agreement, each by a notification and, if they have an e-mail, a mail of their own domain
 * (docs/rules/agreements.md#reminders). People who have answered in the meantime are left out. The batch job stops if
 * there is a newer version, or if its starter may no longer change documents.
 */
export const remindRows: BatchKinds[string] = async ({ userId: starterId, options }) => {
  const { documentId, version, repeat, ...origin } = Options.parse(options)
  if (!starterId) throw new BatchStopped('remindersStarter')
  const base = await runContext(origin)
  return async (tx: Transaction, { input }) => {
    const { userId } = Row.parse(input)
    const { methods } = await accessOf(starterId, tx)
    if (!holdsMethod({ methods }, 'libraries.write') || !(await isEnabled(tx, starterId)))
      throw new BatchStopped('remindersStarter')
    const { document, asked: campaign } = await campaignOf(documentId, tx, true).catch((error: unknown) => {
      throw error instanceof AppError ? new BatchStopped('remindersOver') : error
    })
    if (campaign.version !== version) throw new BatchStopped('remindersOver')
    const person = await selectIfUnanswered(tx, campaign, userId)
    if (!person) return undefined
    const now = base.now()
    if (!(await storeReminder(tx, { documentId, version, userId, remindedAt: now }, repeat))) return undefined
    const domain = await servedDomain(person.domainId)
    const locale = languageFrom(domain, person.lang)
    const ctx = { ...base, domain, locale }
    const name = nameAmong(await selectNames(tx, documentId, version), locale, document.code)
    if (person.email)
      await sendMail(tx, ctx, {
        template: 'agreementReminder',
        to: person.email,
        userId,
        locale,
        values: { name: person.name, document: name, link: `${domain.origin}/platform/law/${document.code}` },
      })
    return emit(tx, ctx, 'agreementReminded', { userId, document: name })
  }
}
