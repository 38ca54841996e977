import { describe, expect, test, vi } from 'vitest'
import { FailureBody, failuresOf } from '@/lib/base/http/openapi'
import { log } from '@/lib/base/runtime/log'
import { samples } from '../../factories/file-samples'
import { caseNumbers, eachRound } from '../../factories/random-cases'
import { ask, blob, form, formOf, leaveNoUpload, part, ran, sendForm, well, written } from '../../factories/uploads'
import { useTestDatabase } from '../../setup/database'

useTestDatabase()
leaveNoUpload()

describe('a hostile form with files', () => {
  test('that is no form, or an unreadable one, gets a documented 4xx, never a 5xx', async () => {
    const inside = written(part('title', 'x'), part('picture', 'y', '; filename="a"')).body
    const type = (value: string) => ({ 'content-type': value })
    const formType = 'multipart/form-data; boundary=b'
    const hostile: [BodyInit, Record<string, string>][] = [
      ['{}', type('application/json')],
      [inside, type('text/plain')],
      [inside, type('multipart/mixed; boundary=b')],
      [inside, type('multipart/form-data')],
      [inside, type('multipart/form-data; boundary=')],
      [inside, type(`multipart/form-data; boundary=${'b'.repeat(5000)}`)],
      ['', type(formType)],
      ['--b', type(formType)],
      ['--b--', type(formType)],
      ['--b\r\n\r\n--b--\r\n', type(formType)],
      [inside.slice(0, -4), type(formType)],
      [inside.slice(0, 60), type(formType)],
      [
        `--b\r\nContent-Disposition: form-data; name="title"\r\nX: ${'x'.repeat(100_000)}\r\n\r\nx\r\n--b--\r\n`,
        type(formType),
      ],
      [
        `--b\r\n${Array.from({ length: 500 }, (_, n) => `X${n}: y`).join('\r\n')}\r\n\r\nx\r\n--b--\r\n`,
        type(formType),
      ],
      [`${'--b\r\n\r\nx\r\n'.repeat(2000)}--b--\r\n`, type(formType)],
      [written('Content-Disposition: attachment; name="title"\r\n\r\nx').body, type(formType)],
      [written('Content-Disposition: form-data\r\n\r\nx').body, type(formType)],
      [written(part('ti\ntle', 'x')).body, type(formType)],
      [written(part('title', 'x', "; filename*=UTF-8''%zz")).body, type(formType)],
      [
        written(`${part('title', 'x').replace('\r\n\r\n', '\r\nContent-Type: text/plain; charset=nonsense\r\n\r\n')}`)
          .body,
        type(formType),
      ],
      [written(part('picture', '\u0000'.repeat(6000), '; filename="a"'), part('picture', 'y')).body, type(formType)],
    ]
    for (const [body, headers] of hostile) {
      const answer = await ask(form, 'POST', body, headers)
      const request = `${JSON.stringify(headers)} ${String(body).slice(0, 80)}`
      expect(answer.status, request).toBeGreaterThanOrEqual(400)
      expect(answer.status, request).toBeLessThan(500)
      expect(FailureBody.safeParse(answer.body).success, request).toBe(true)
      expect(failuresOf(sendForm).get(answer.status), request).toContain(answer.body.code)
    }
  })

  test('that is changed at random in its bytes and parts succeeds or gets a documented 4xx, never a 5xx', async () => {
    const errors = vi.spyOn(log, 'error')
    const marks = [
      '--b',
      '--b--',
      '\r\n',
      '\r\n\r\n',
      '\r',
      '\u0000',
      '"',
      'Content-Disposition: form-data; name="',
      '\ud83d',
    ]
    const more = ["filename*=UTF-16''%00", '; charset=utf-16', 'Content-Transfer-Encoding: base64', '; name="picture"']
    const words = [...marks, ...more, '__proto__', 'Content-Type: text/plain; charset=x']
    const any = caseNumbers(71)
    const picture = Buffer.from(samples['image/png']).toString('latin1')
    const whole = written(part('title', 'x'), part('picture', picture, '; filename="a.png"')).body
    for (const _ of eachRound(400)) {
      let text = whole
      for (let changes = 1 + any(4); changes > 0; changes--) {
        const [at, to] = [any(text.length), any(12)]
        const instead = [
          words[any(words.length)] ?? '',
          String.fromCharCode(any(256)),
          text.slice(any(text.length)).slice(0, 90),
        ]
        text = text.slice(0, at) + instead[any(3)] + text.slice(at + to)
      }
      const bytes = Buffer.from(text, any(2) ? 'latin1' : 'utf8')
      const size = 1 + any(400)
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.subarray(at, at + size))
          controller.close()
        },
      })
      const answer = await ask(form, 'POST', body, { 'content-type': 'multipart/form-data; boundary=b' })
      const sentBytes = JSON.stringify(bytes.toString('latin1'))
      expect(answer.status, sentBytes).toBeLessThan(500)
      if (answer.status !== 200) expect(failuresOf(sendForm).get(answer.status), sentBytes).toContain(answer.body.code)
    }
    expect(errors).not.toHaveBeenCalled()
  })

  test('that breaks off anywhere gets 400, causes no error of the server and changes nothing', async () => {
    const errors = vi.spyOn(log, 'error')
    const before = ran.times
    const aborted = () => Object.assign(new Error('aborted'), { code: 'ECONNRESET' })
    const large = new Uint8Array(300_000)
    large.set(samples['image/png'])
    const encoded = new Request('http://x', { method: 'POST', body: formOf({ ...well, picture: blob(large) }) })
    const headers = { 'content-type': encoded.headers.get('content-type') ?? '' }
    const whole = new Uint8Array(await encoded.arrayBuffer())
    for (let at = 0; at < whole.length; at += at < 600 ? 13 : 40_000) {
      let sent = false
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          if (sent || at === 0) controller.error(aborted())
          else controller.enqueue(whole.slice(0, at))
          sent = true
        },
      })
      expect((await ask(form, 'POST', body, headers)).status, String(at)).toBe(400)
    }
    expect(ran.times).toBe(before)
    expect(errors).not.toHaveBeenCalled()
  })

  test('sent again under its key runs once, in any encoding; another file under the key is refused', async () => {
    const key = { 'idempotency-key': crypto.randomUUID(), 'x-platform-ip': '198.51.100.77' }
    const before = ran.times
    const first = await ask(form, 'POST', formOf(well), key)
    expect(await ask(form, 'POST', formOf(well), key)).toEqual(first)
    expect(ran.times).toBe(before + 1)
    expect(await ask(form, 'POST', formOf({ ...well, picture: blob(samples['image/gif']) }), key)).toMatchObject({
      status: 415,
    })
    expect(await ask(form, 'POST', formOf({ ...well, picture: blob(samples['image/webp']) }), key)).toMatchObject({
      status: 400,
      body: { code: 'idempotencyKeyReused' },
    })
  })

  test('sent 30 times at once by one address fills its places; the others get Retry-After', async () => {
    const ownAddress = { 'x-platform-ip': '198.51.100.78' }
    const answers = await Promise.all(Array.from({ length: 30 }, () => ask(form, 'POST', formOf(well), ownAddress)))
    const statuses = answers.map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([200, 429]))
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(4)
    expect((await ask(form, 'POST', formOf(well), ownAddress)).status).toBe(200)
  })

  test('sent thirty times at once by one network, each from another address, shares the places of one address', async () => {
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        ask(form, 'POST', formOf(well), { 'x-platform-ip': `2001:db8:7:7::${(n + 1).toString(16)}` }),
      ),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]))
  })
})
