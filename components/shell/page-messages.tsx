'use client'

import { type Messages, NextIntlClientProvider, useLocale, useMessages } from 'next-intl'
import { type ReactNode, useMemo } from 'react'

/** Adds a page's texts to those that its layout has sent. */
export function PageMessages({ messages, children }: { messages: Partial<Messages>; children: ReactNode }) {
  const outer = useMessages()
  const all = useMemo(() => {
    const { errors, snackbar } = messages
    const both = { ...outer, ...messages }
    if (errors) both.errors = { ...outer.errors, ...errors }
    if (snackbar) both.snackbar = { ...outer.snackbar, ...snackbar }
    return both
  }, [outer, messages])
  return (
    <NextIntlClientProvider locale={useLocale()} messages={all}>
      {children}
    </NextIntlClientProvider>
  )
}
