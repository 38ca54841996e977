import type { Messages } from 'next-intl'
import { getMessages, getTranslations } from 'next-intl/server'
import type { ReactNode } from 'react'
import { pickMessages, type TextFile } from '@/lib/base/i18n/messages'
import type { ScreenName } from '@/lib/base/navigation/screens'
import { PageHeader } from '../ui/page-header'
import { PageMessages } from './page-messages'

/** Files of texts whose namespace has the text `lead`. */
type LedTexts = {
  [F in TextFile & keyof Messages]: Messages[F] extends { lead: string } ? F : never
}[TextFile & keyof Messages]

export type ScreenProps = {
  /** The name of the page; its label is the title. */
  name: ScreenName
  /** The file of its texts, which its client components need. The text `lead` is one sentence about the page. */
  texts: LedTexts
  /** Further files of texts that they need. */
  more?: readonly TextFile[]
  /** Replaces `lead`. */
  text?: ReactNode
  /** The main action, at the right. */
  action?: ReactNode
  children: ReactNode
}

/** A page with its texts and its header; `className` is the grid that the header stands in. */
export async function ScreenPage(props: ScreenProps & { className?: string }) {
  const { name, texts, more = [], text, action, className = 'grid gap-5', children } = props
  const [t, messages] = await Promise.all([getTranslations('shell.screens'), getMessages()])
  return (
    <PageMessages messages={pickMessages(messages, [texts, ...more])}>
      <div className={className}>
        <PageHeader title={t(name)} text={text ?? messages[texts].lead} action={action} />
        {children}
      </div>
    </PageMessages>
  )
}
