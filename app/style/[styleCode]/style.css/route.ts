import { lastingAnswer } from '@/lib/base/http/lasting-answer'
import { styleSheet } from '@/lib/site/domains/style-templates'

type Parameters = { params: Promise<{ styleCode: string }> }

export async function GET(request: Request, { params }: Parameters) {
  const { styleCode } = await params
  return lastingAnswer(request, styleSheet(styleCode), 'text/css; charset=utf-8')
}
