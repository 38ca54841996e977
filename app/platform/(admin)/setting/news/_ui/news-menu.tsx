'use client'

import { Eye, Send, Undo2 } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type Action, sends } from '@/components/form/actions'
import { RowActions } from '@/components/form/row-actions'
import { deleteNewsItem, type NewsRow, withdrawNewsItem } from '@/lib/news/news/contract'
import type { Audience } from '@/lib/news/news/kinds'
import { EditNews } from './news-form'
import { NewsPreview } from './news-preview'

type Props = { news: NewsRow; name: string; mayWrite: boolean; offered: readonly Audience[] }

/** The actions on news: view, edit and publish a draft, withdraw published news, delete a draft. */
export function NewsMenu({ news, name, mayWrite, offered }: Props) {
  const t = useTranslations('news')
  const { id, status } = news
  const draft = mayWrite && status === 'draft'
  const look: Action = {
    kind: 'dialog',
    label: t('preview'),
    icon: Eye,
    title: t('previewTitle', { name }),
    size: 'L',
    body: () => <NewsPreview news={news} />,
  }
  const publish: Action = {
    kind: 'dialog',
    label: t('publish'),
    icon: Send,
    title: t('publishTitle', { name }),
    size: 'L',
    body: (done) => <NewsPreview news={news} onPublished={done} />,
  }
  return (
    <RowActions
      row={name}
      actions={[
        draft ? publish : look,
        draft && {
          kind: 'edit',
          title: t('editTitle', { name }),
          form: (done) => <EditNews id={id} offered={offered} onDone={done} />,
        },
        mayWrite &&
          status === 'published' && {
            kind: 'confirm',
            label: t('withdraw'),
            icon: Undo2,
            tone: 'danger',
            ask: { title: t('withdrawTitle', { name }), text: t('withdrawText'), tone: 'danger' },
            sends: sends(withdrawNewsItem, { params: { id }, body: {} }),
          },
        draft && {
          kind: 'remove',
          contract: deleteNewsItem,
          id,
          title: t('deleteTitle', { name }),
          text: t('deleteText'),
        },
      ]}
    />
  )
}
