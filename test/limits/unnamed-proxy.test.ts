import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scrape } from '../support/http/scrape.ts'
import { startTestService } from '../support/service.ts'

const warnings = (log: readonly string[]) =>
  log.filter((line) => line.includes('forwarding headers from an untrusted local peer'))

test('ignores forwarding headers from an untrusted local peer and warns once', async () => {
  await using service = await startTestService({ limitsText: 'resend=2/h' })
  const { key } = await service.addTenant()
  const resend = (headers: Record<string, string>) =>
    fetch(`${service.baseUrl}/otp/resend`, { method: 'POST', headers: { 'x-tenant-key': key, ...headers } })
  await resend({ 'x-forwarded-for': '203.0.113.1' })
  await resend({ 'x-forwarded-for': '203.0.113.2' })
  assert.equal((await resend({ forwarded: 'for=203.0.113.3' })).status, 429, 'the requests count as one client')
  assert.equal(warnings(service.log).length, 1)
})

test('does not warn about a trusted proxy on loopback, whatever it forwards', async () => {
  await using service = await startTestService({ trustedProxies: '127.0.0.0/8, ::1' })
  const { key } = await service.addTenant()
  const forwarded: Record<string, string>[] = [
    { 'x-forwarded-for': '127.0.0.1' },
    { 'x-forwarded-for': '::1, 127.0.0.1' },
    { 'x-forwarded-for': 'unknown' },
    { 'x-real-ip': '203.0.113.1' },
  ]
  for (const headers of forwarded) {
    await fetch(`${service.baseUrl}/tenant-configuration`, { headers: { 'x-tenant-key': key, ...headers } })
  }
  assert.deepEqual(warnings(service.log), [])
  assert.equal((await scrape(service)).value('tenantry_unnamed_proxy_total'), 0)
})

test('does not warn without forwarding headers or with a trusted proxy', async () => {
  await using service = await startTestService({ trustedProxies: '127.0.0.1' })
  const { key } = await service.addTenant()
  await fetch(`${service.baseUrl}/tenant-configuration`, { headers: { 'x-tenant-key': key } })
  await fetch(`${service.baseUrl}/tenant-configuration`, {
    headers: { 'x-tenant-key': key, 'x-forwarded-for': '203.0.113.1' },
  })
  assert.deepEqual(warnings(service.log), [])
})
