'use client'

import { useRouter } from 'next/navigation'
import { startTransition, useSyncExternalStore, useTransition } from 'react'
import { call } from '@/lib/base/http/client'
import type { patchUserSettings } from '@/lib/my-account/settings/contract'
import { beginOwnWrite } from '../ui/own-write'
import { keepChoice } from './browser-cookie'

export const themes = ['light', 'dark', 'system'] as const
export type Theme = (typeof themes)[number]

const listeners = new Set<() => void>()
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
const themeInUse = (): Theme => {
  const { theme } = document.documentElement.dataset
  return theme === 'light' || theme === 'dark' ? theme : 'system'
}

/**
 * Returns the current theme, including one chosen in another part of the page; the parameter is the theme that the
 * server read.
 */
export const useTheme = (serverTheme: Theme): Theme => useSyncExternalStore(subscribe, themeInUse, () => serverTheme)

/** Applies a theme at once and stores it in a cookie for the next pages. */
export function chooseTheme(theme: Theme) {
  keepChoice('theme', theme)
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  for (const listener of listeners) listener()
}

/** Chooses the zone in which the person sees times, on pages, in mails and in files; null for that of each browser. */
export function useChooseTimeZone() {
  const router = useRouter()
  return async (chosenTimeZone: string | null) => {
    const endOwnWrite = beginOwnWrite()
    const contract: Pick<typeof patchUserSettings, 'method' | 'path'> = { method: 'PATCH', path: '/users/settings' }
    await call<typeof patchUserSettings>(contract, { body: { settings: { chosenTimeZone } } }).finally(endOwnWrite)
    startTransition(() => router.refresh())
  }
}

/** Switches the language of this browser, and of the account for mails and other browsers. The page stays open. */
export function useChooseLanguage() {
  const router = useRouter()
  const [, start] = useTransition()
  return (lang: string) => {
    keepChoice('locale', lang)
    const endOwnWrite = beginOwnWrite()
    call<typeof patchUserSettings>({ method: 'PATCH', path: '/users/settings' }, { body: { settings: { lang } } })
      .catch((error) => console.warn('the language is kept in this browser alone', error))
      .finally(endOwnWrite)
    start(() => router.refresh())
  }
}
