import type { Messages } from 'next-intl'
import { type TextLocale, textLocales } from './choose-locale'

/** Spelled out, so that every bundler and the worker find them. Each file holds its own namespace. */
const files = {
  ru: [
    () => import('@/messages/ru/common.json'),
    () => import('@/messages/ru/consent.json'),
    () => import('@/messages/ru/device-flow.json'),
    () => import('@/messages/ru/device-types.json'),
    () => import('@/messages/ru/entry.json'),
    () => import('@/messages/ru/errors.json'),
    () => import('@/messages/ru/failure.json'),
    () => import('@/messages/ru/gallery.json'),
    () => import('@/messages/ru/history.json'),
    () => import('@/messages/ru/invitation.json'),
    () => import('@/messages/ru/mail.json'),
    () => import('@/messages/ru/law.json'),
    () => import('@/messages/ru/network-aliases.json'),
    () => import('@/messages/ru/oidc.json'),
    () => import('@/messages/ru/outage.json'),
    () => import('@/messages/ru/outbox.json'),
    () => import('@/messages/ru/overview.json'),
    () => import('@/messages/ru/person.json'),
    () => import('@/messages/ru/profile.json'),
    () => import('@/messages/ru/recovery.json'),
    () => import('@/messages/ru/refusal.json'),
    () => import('@/messages/ru/registration.json'),
    () => import('@/messages/ru/sessions.json'),
    () => import('@/messages/ru/settings.json'),
    () => import('@/messages/ru/shell.json'),
    () => import('@/messages/ru/sms.json'),
    () => import('@/messages/ru/snackbar.json'),
    () => import('@/messages/ru/ui.json'),
    () => import('@/messages/ru/user-applications.json'),
  ],
  en: [
    () => import('@/messages/en/common.json'),
    () => import('@/messages/en/consent.json'),
    () => import('@/messages/en/device-flow.json'),
    () => import('@/messages/en/device-types.json'),
    () => import('@/messages/en/entry.json'),
    () => import('@/messages/en/errors.json'),
    () => import('@/messages/en/failure.json'),
    () => import('@/messages/en/gallery.json'),
    () => import('@/messages/en/history.json'),
    () => import('@/messages/en/invitation.json'),
    () => import('@/messages/en/mail.json'),
    () => import('@/messages/en/law.json'),
    () => import('@/messages/en/network-aliases.json'),
    () => import('@/messages/en/oidc.json'),
    () => import('@/messages/en/outage.json'),
    () => import('@/messages/en/outbox.json'),
    () => import('@/messages/en/overview.json'),
    () => import('@/messages/en/person.json'),
    () => import('@/messages/en/profile.json'),
    () => import('@/messages/en/recovery.json'),
    () => import('@/messages/en/refusal.json'),
    () => import('@/messages/en/registration.json'),
    () => import('@/messages/en/sessions.json'),
    () => import('@/messages/en/settings.json'),
    () => import('@/messages/en/shell.json'),
    () => import('@/messages/en/sms.json'),
    () => import('@/messages/en/snackbar.json'),
    () => import('@/messages/en/ui.json'),
    () => import('@/messages/en/user-applications.json'),
  ],
}

const loaded = new Map<TextLocale, Promise<Messages>>()

export const isTextLocale = (locale: string): locale is TextLocale =>
  (textLocales as readonly string[]).includes(locale)

async function load(locale: TextLocale): Promise<Messages> {
  const modules = await Promise.all(files[locale].map((file) => file()))
  return Object.assign({}, ...modules.map((module) => module.default))
}

/** All texts of a locale, read once a process; of the default locale when there are none in this one. */
export function loadMessages(locale: string): Promise<Messages> {
  const known = isTextLocale(locale) ? locale : textLocales[0]
  const messages = loaded.get(known) ?? load(known)
  loaded.set(known, messages)
  return messages
}

/** The namespaces that client components of a page need, so that the page carries no others. */
export function pickMessages<N extends keyof Messages>(
  messages: Messages,
  namespaces: readonly N[],
): Pick<Messages, N> {
  return Object.fromEntries(namespaces.map((namespace) => [namespace, messages[namespace]])) as Pick<Messages, N>
}
