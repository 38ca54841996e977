import { useTranslations } from 'next-intl'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import type { CallOutput } from '@/lib/base/contracts/contract'
import { wordsOf } from '@/lib/base/i18n/words'
import type { readMessageTexts } from '@/lib/messaging/message-texts/contract'
import { labelOf } from './labels'
import { type MessagePreview, Preview } from './preview'

type Props = { message: CallOutput<typeof readMessageTexts>; shown: MessagePreview; lang: string }

/** The texts for people who may only read. */
export function MessageFacts({ message, shown, lang }: Props) {
  const t = useTranslations('message-texts')
  const words = wordsOf(t)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-8 @min-[64rem]:grid-cols-[minmax(0,30rem)_minmax(0,1fr)] @min-[64rem]:items-start">
      <KeyValues>
        {message.parts.map(({ part, text, inherited }) => (
          <KeyValue key={part} label={labelOf(words, part)} tall>
            <span lang={lang} className="wrap-anywhere whitespace-pre-line">
              {text ?? inherited}
            </span>
          </KeyValue>
        ))}
      </KeyValues>
      <Preview shown={shown} lang={lang} />
    </div>
  )
}
