'use client'

import { useTranslations } from 'next-intl'
import { useCallback } from 'react'
import { wordsOf } from '@/lib/base/i18n/words'
import { type Notice, showNotice } from './snackbar'

type Params = Record<string, string | number>

/**
 * A snackbar by the keys of its texts (docs/rules/texts-and-look.md#notices): `text` and `title` are looked up in
 * `namespace`.
 */
export type KeyedNotice = Omit<Notice, 'text' | 'title'> & {
  text: string
  title?: string
  namespace?: string
  params?: Params
}

/** Returns the text of a key, or `undefined` if there is none, so that no key is ever on screen. */
export function useNoticeText() {
  const t = wordsOf(useTranslations())
  return useCallback(
    (text: string, { namespace = 'snackbar', params }: Pick<KeyedNotice, 'namespace' | 'params'> = {}) => {
      const key = `${namespace}.${text}`
      return t.has(key) ? t(key, params) : undefined
    },
    [t],
  )
}

/** Shows snackbars by key. If a key has no text, a general text says that the action succeeded or failed. */
export function useNotice() {
  const textOf = useNoticeText()
  const t = useTranslations('ui')
  return useCallback(
    ({ text, title, namespace, params, ...notice }: KeyedNotice) =>
      showNotice({
        ...notice,
        text: textOf(text, { namespace, params }) ?? (notice.type === 'error' ? t('failed') : t('done')),
        title: title && textOf(title, { namespace, params }),
      }),
    [textOf, t],
  )
}
