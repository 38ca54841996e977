import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { RichText } from '@/components/ui/rich-text'
import { pageContext } from '@/lib/context/page'
import { pageTitle } from '@/lib/context/title'
import { documentView, inLanguage } from '@/lib/platform/documents/service'

type Props = { params: Promise<{ id: string }> }

/** The document in the current language; what can't be loaded leads to the root (portal.md section 2). */
async function documentText({ params }: Props) {
  const { ctx } = await pageContext()
  const { id } = await params
  const view = await documentView(ctx, { params: { id: decodeURIComponent(id) } }).catch(() => null)
  return view ? inLanguage(view.documents, ctx.locale) : undefined
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const text = await documentText(props)
  return text ? pageTitle(text.name) : {}
}

export default async function LawPage(props: Props) {
  const text = await documentText(props)
  if (!text) redirect('/')
  return (
    <article lang={text.locale}>
      <h1 className="mb-6 text-title">{text.name}</h1>
      <RichText text={text.content} />
    </article>
  )
}
