'use client'

import { useTranslations } from 'next-intl'
import { useCallback } from 'react'
import { type Notice, showNotice } from './snackbar'

type Key = Parameters<ReturnType<typeof useTranslations<never>>>[0]
type Params = Record<string, string | number>

/** A notice by its texts' keys (portal.md section 3, Snackbar): `text` and `title` are looked up in `namespace`. */
export type KeyedNotice = Omit<Notice, 'text' | 'title'> & {
  text: string
  title?: string
  namespace?: string
  params?: Params
}

/** Words for a key of a notice; `undefined` where there are none, so that no key is ever on screen. */
export function useNoticeText() {
  const t = useTranslations()
  return useCallback(
    (text: string, { namespace = 'snackbar', params }: Pick<KeyedNotice, 'namespace' | 'params'> = {}) => {
      const key = `${namespace}.${text}` as Key
      return t.has(key) ? (t as unknown as (key: Key, params?: Params) => string)(key, params) : undefined
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
