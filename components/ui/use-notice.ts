'use client'

import { useTranslations } from 'next-intl'
import { useCallback } from 'react'
import { type Notice, showNotice } from './snackbar'

type Params = Record<string, string | number>
/** Texts by a key that is only known at run time. Cast by hand, because comparing the type takes the compiler minutes. */
type Words = { (key: string, params?: Params): string; has(key: string): boolean }

/**
 * A notice by its texts' keys (docs/rules/texts-and-look.md#notices): `text` and `title` are looked up in `namespace`.
 */
export type KeyedNotice = Omit<Notice, 'text' | 'title'> & {
  text: string
  title?: string
  namespace?: string
  params?: Params
}

/** Words for a key of a notice; `undefined` where there are none, so that no key is ever on screen. */
export function useNoticeText() {
  const t = useTranslations() as unknown as Words
  return useCallback(
    (text: string, { namespace = 'snackbar', params }: Pick<KeyedNotice, 'namespace' | 'params'> = {}) => {
      const key = `${namespace}.${text}`
      return t.has(key) ? t(key, params) : undefined
    },
    [t],
  )
}

/** Shows notices by key. One without words says that it is done, or that it failed, and no more. */
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
