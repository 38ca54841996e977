import { expect, type Page } from '@playwright/test'
import { and, eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { domainAgreements } from '@/db/schema/platform'
import { documentId } from '@/db/seed/demo/domains'
import { signedInAt } from '../../../factories/agreements'
import { createUser } from '../../../factories/users'
import type { Rows } from '../row'

const opens = async (page: Page, create: string) => {
  await page.getByRole('button', { name: create }).click()
  await expect(page.getByRole('dialog').getByRole('textbox').first()).toBeVisible()
}

const card = `/platform/setting/libraries/documents/${documentId('user-agreement')}`

/** Somebody who signed in last at the domain that asks for the agreement. */
async function someoneToRemind() {
  const [asking] = await db()
    .select({ id: domainAgreements.domainId })
    .from(domainAgreements)
    .where(and(eq(domainAgreements.documentId, documentId('user-agreement')), domainAgreements.loginRequired))
  await signedInAt((await createUser({ roles: [] })).id, asking?.id ?? null)
}

export const rows: Rows = {
  PlatformLibraries: [
    { as: 'administrator', open: '/platform/setting/libraries', leadsTo: 'PlatformLibrariesDocuments' },
  ],
  PlatformLibrariesDocuments: [
    {
      as: 'administrator',
      open: '/platform/setting/libraries/documents',
      states: { 'a new one': ({ page, t }) => opens(page, t.documents.create) },
    },
  ],
  PlatformLibrariesDocument: [
    {
      as: 'administrator',
      open: async ({ page }) => {
        await someoneToRemind()
        await page.goto(card)
      },
      states: {
        'the question before people are reminded': async ({ page }) => {
          await page
            .getByRole('main')
            .getByRole('button', { name: /^(Напомнить|Remind) / })
            .first()
            .click()
          await expect(page.getByRole('alertdialog')).toBeVisible()
        },
      },
    },
    { name: 'who agreed', as: 'administrator', open: `${card}?tab=acceptances` },
    { name: 'nobody found', as: 'administrator', open: `${card}?tab=acceptances&filter[search]=nothing-like-it` },
    {
      name: 'many who agreed',
      as: 'administrator',
      open: `/platform/setting/libraries/documents/${documentId('personal-data')}?tab=acceptances`,
    },
    { name: 'history', as: 'administrator', open: `${card}?tab=history` },
    { name: 'no agreement', as: 'administrator', open: `/platform/setting/libraries/documents/${documentId('help')}` },
    { name: 'to somebody who only looks', as: 'auditor', open: card },
    { name: 'refused to somebody without a method', as: 'employee', open: card, refused: true },
  ],
  PlatformLibrariesBanners: [
    {
      as: 'administrator',
      open: '/platform/setting/libraries/banners',
      states: { 'a new one': { texts: true, reach: ({ page, t }) => opens(page, t.banners.create) } },
    },
  ],
  PlatformLibrariesLocales: [
    {
      as: 'administrator',
      open: '/platform/setting/libraries/locales',
      states: { 'a new one': ({ page, t }) => opens(page, t.locales.create) },
    },
  ],
  PlatformLibrariesMessages: [{ as: 'administrator', open: '/platform/setting/libraries/messages' }],
  PlatformLibrariesMessage: [
    {
      as: 'administrator',
      open: '/platform/setting/libraries/messages/mail-invitation',
      states: {
        'a text that can’t stand': {
          texts: true,
          reach: async ({ page, t }) => {
            await page.getByLabel(t['message-texts'].parts.heading, { exact: true }).fill('{')
            await page.getByRole('button', { name: t.ui.saveBar.save }).click()
            await expect(page.locator('[aria-invalid=true]')).toBeVisible()
          },
        },
      },
    },
    { name: 'an SMS', as: 'administrator', open: '/platform/setting/libraries/messages/sms-signInCode' },
    { name: 'the words around mails', as: 'administrator', open: '/platform/setting/libraries/messages/mail-common' },
    { name: 'to somebody who only looks', as: 'auditor', open: '/platform/setting/libraries/messages/mail-digest' },
    {
      name: 'refused to somebody without a method',
      as: 'employee',
      open: '/platform/setting/libraries/messages/mail-digest',
      refused: true,
    },
  ],
  PlatformLibrariesLocale: [
    {
      as: 'administrator',
      showsKeys: true,
      open: async ({ page }) => {
        await page.goto('/platform/setting/libraries/locales')
        await page.getByRole('link', { name: 'English' }).click()
        await expect(page.getByRole('heading', { level: 1, name: 'English' })).toBeVisible()
      },
      states: {
        'a text being written': async ({ page, t }) => {
          await page
            .getByRole('main')
            .getByRole('button', { name: new RegExp(t.ui.list.rowActions.split('{')[0] ?? '') })
            .first()
            .click()
          await page.getByRole('menuitem', { name: t.ui.edit }).click()
          await expect(page.getByRole('dialog').getByRole('textbox')).toBeVisible()
        },
      },
    },
  ],
}
