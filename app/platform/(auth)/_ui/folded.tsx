import type { ReactNode } from 'react'
import { ChevronDown } from '@/components/ui/icons'

/** What few people need: folded below a question, with and without script. */
export const Folded = ({ question, open, children }: { question: string; open?: boolean; children: ReactNode }) => (
  <details open={open} className="group text-ink-second text-note">
    <summary className="flex w-fit cursor-pointer list-none items-center gap-1.5 rounded-[2px] transition-colors hover:text-ink pointer-coarse:-my-3 pointer-coarse:min-h-11 [&::-webkit-details-marker]:hidden">
      {question}
      <ChevronDown className="size-4 transition-transform group-open:rotate-180" />
    </summary>
    {children}
  </details>
)
