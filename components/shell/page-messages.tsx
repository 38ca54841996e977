'use client'

import { NextIntlClientProvider, useLocale, useMessages } from 'next-intl'
import { type ReactNode, useMemo } from 'react'
import type { PickedMessages } from '@/lib/base/i18n/messages'

type Shared = Record<'errors' | 'snackbar', Record<string, string> | undefined>

/** Adds a page's texts to those that its layout has sent. */
export function PageMessages({ messages, children }: { messages: PickedMessages; children: ReactNode }) {
  const outer = useMessages()
  const allMessages = useMemo(() => {
    const [before, added] = [outer, messages] as unknown as [Shared, Shared]
    const merged = { ...before, ...added }
    if (added.errors) merged.errors = { ...before.errors, ...added.errors }
    if (added.snackbar) merged.snackbar = { ...before.snackbar, ...added.snackbar }
    return merged as unknown as PickedMessages
  }, [outer, messages])
  return (
    <NextIntlClientProvider locale={useLocale()} messages={allMessages}>
      {children}
    </NextIntlClientProvider>
  )
}
