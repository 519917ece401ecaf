import type { ImportedPassword } from '../../../contract/admin/imported-password.ts'

/** A hash published with its password by another system or by a reference implementation. */
interface PublishedHash {
  readonly source: string
  readonly password: string
  readonly given: ImportedPassword
  /** Takes more than a few milliseconds to verify. */
  readonly slow?: true
}

/** The sample in the README of github.com/firebase/scrypt, with the parameters of its project. */
export const firebaseSample = {
  algorithm: 'firebase-scrypt',
  hash: 'lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==',
  salt: '42xEC+ixf3L2lw==',
  signerKey: 'jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==',
  saltSeparator: 'Bw==',
  rounds: 8,
  memoryCost: 14,
} as const

const LONG = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
const NOTHING = 'what do ya want for nothing?'
const hex = 'hex'
const salty = { salt: 'seasalt', saltEncoding: 'utf8', order: 'salt-first' } as const
const nacl = { salt: 'NaCl', saltEncoding: 'utf8' } as const
const jefe = { key: 'Jefe', keyEncoding: 'utf8' } as const

const texts: readonly (readonly [source: string, password: string, given: string, slow?: true])[] = [
  ['argon2 reference', 'password', '$argon2i$m=256,t=2,p=1$c29tZXNhbHQ$/U3YPXYsSb3q9XxHvc0MLxur+GP960kN9j7emXX8zwY'],
  [
    'argon2 reference, version written',
    'password',
    '$argon2i$v=16$m=256,t=2,p=1$c29tZXNhbHQ$/U3YPXYsSb3q9XxHvc0MLxur+GP960kN9j7emXX8zwY',
  ],
  [
    'argon2 reference',
    'password',
    '$argon2i$v=19$m=256,t=2,p=1$c29tZXNhbHQ$iekCn0Y3spW+sCcFanM2xBT63UP2sghkUoHLIUpWRS8',
  ],
  [
    'argon2 reference',
    'password',
    '$argon2id$v=19$m=256,t=2,p=2$c29tZXNhbHQ$bQk8UB/VmZZF4Oo79iDXuL5/0ttZwg2f/5U52iv1cDc',
  ],
  ['passlib', 'password', '$argon2d$v=19$m=102400,t=2,p=8$g2RodLh8j8WbSdCp+lUy/A$zzAJqL/HSjm809PYQu6qkA', true],
  ['Openwall', 'U*U', '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'],
  ['Openwall', 'U*U*', '$2a$05$CCCCCCCCCCCCCCCCCCCCC.VGOzA784oUp/Z0DY336zx7pLYAy0lwK'],
  ['Openwall', 'U*U*U', '$2a$05$XXXXXXXXXXXXXXXXXXXXXOAcXxm9kjPGEMsLznoKqmqw7tc8WCx4a'],
  ['Openwall', '', '$2a$05$CCCCCCCCCCCCCCCCCCCCC.7uG0VCzI2bS7j6ymqJi9CdcdxiRTWNy'],
  ['Openwall', LONG, '$2a$05$abcdefghijklmnopqrstuu5s2v8.iXieOjg/.AySBTTZIIVFJeBui'],
  ['jBCrypt, UTF-8', 'ππππππππ', '$2a$10$.TtQJ4Jr6isd4Hp.mVfZeuh6Gws4rOQ/vdBczhDx.19NFK0Y84Dle', true],
  ['RFC 7914, by passlib', '', '$scrypt$ln=4,r=1,p=1$$d9ZXYjhleyA7GcpCwYoEl/FrSETjB0ro39/6P+3iFEI'],
  [
    'RFC 7914, by passlib',
    'password',
    '$scrypt$ln=10,r=8,p=16$TmFDbA$/bq+HJ00cgB4VucZDQHp/nxq18vII3gw53N2Y0s3MWI',
    true,
  ],
  ['passlib', 'test', '$scrypt$ln=8,r=8,p=1$wlhLyXmP8b53bm1NKYVQqg$mTpvG8lzuuDk+DWz8HZIB6Vum6erDuUm0As5yU+VxWA'],
  ['passlib', 'nacl', '$scrypt$ln=1,r=4,p=2$yhnD+J+Tci4lZCwFgHCuVQ$fAsEWmxSHuC0cHKMwKVFPzrQukgvK09Sj+NueTSxKds'],
  ['passlib', 'password', '$pbkdf2$1212$OB.dtnSEXZK8U5cgxU/GYQ$y5LKPOplRmok7CZp/aqVDVg8zGI'],
  ['passlib', 'password', '$pbkdf2-sha256$1212$4vjV83LKPjQzk31VI4E0Vw$hsYF68OiOUPdDZ1Fg.fJPeq1h/gXXY7acBp9/6c.tmQ'],
  [
    'passlib',
    'password',
    '$pbkdf2-sha512$1212$RHY0Fr3IDMSVO/RSZyb5ow$eNLfBK.eVozomMr.1gYa17k9B7KIK25NOEshvhrSX.esqY3s.FvWZViXz4KoLlQI.BzY/YTNJOiKc5gBYFYGww',
  ],
  ['Django', 'lètmein', 'pbkdf2_sha256$390000$seasalt$8xBlGd3jVgvJ+92hWPxi5ww0uuAuAnKgC45eudxro7c=', true],
  ['Django', 'lètmein', 'pbkdf2_sha1$260000$seasalt2$wAibXvW6jgvatCdONi6SMJ6q7mI=', true],
  [
    'Django',
    'lètmein',
    'scrypt$16384$seasalt$8$1$Qj3+9PPyRjSJIebHnG81TMjsqtaIGxNQG/aEB/NYafTJ7tibgfYz71m0ldQESkXFRkdVCBhhY8mx7rQwite/Pw==',
    true,
  ],
]

/** Published hashes of every format that an import accepts. */
export const publishedHashes: readonly PublishedHash[] = [
  ...texts.map(([source, password, given, slow]) => ({ source, password, given, ...(slow ? { slow } : {}) })),
  { source: 'Firebase', password: 'user1password', given: firebaseSample, slow: true },
  {
    source: 'RFC 7914 12',
    password: 'password',
    given: {
      ...{ algorithm: 'scrypt', cost: 1024, blockSize: 8, parallelization: 16, encoding: hex, ...nacl },
      hash: 'fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b3731622eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640',
    },
    slow: true,
  },
  {
    source: 'RFC 7914 11, two blocks',
    password: 'passwd',
    given: {
      ...{ algorithm: 'pbkdf2', digest: 'sha256', iterations: 1, encoding: hex, salt: 'salt', saltEncoding: 'utf8' },
      hash: '55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783',
    },
  },
  {
    source: 'RFC 6070',
    password: 'password',
    given: {
      ...{ algorithm: 'pbkdf2', digest: 'sha1', iterations: 4096, encoding: hex, salt: 'salt', saltEncoding: 'utf8' },
      hash: '4b007901b765489abead49d926f721d065a429c1',
    },
  },
  {
    source: 'RFC 1321',
    password: 'message digest',
    given: { algorithm: 'md5', encoding: hex, hash: 'f96b697d7cb7938d525a2f31aaf161d0' },
  },
  {
    source: 'Django',
    password: 'lètmein',
    given: { algorithm: 'md5', encoding: hex, hash: '3f86d0d3d465b7b458c231bf3555c0e3', ...salty },
  },
  {
    source: 'Django',
    password: 'lètmein',
    given: { algorithm: 'sha1', encoding: hex, hash: 'cff36ea83f5706ce9aa7454e63e431fc726b2dc8', ...salty },
  },
  {
    source: 'FIPS 180-2, message split into password and salt',
    password: 'a',
    given: {
      ...{ algorithm: 'sha256', encoding: 'base64', salt: '6263', saltEncoding: hex, order: 'password-first' },
      hash: 'ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0',
    },
  },
  {
    source: 'FIPS 180-2',
    password: 'abc',
    given: {
      ...{ algorithm: 'sha512', encoding: hex },
      hash: 'DDAF35A193617ABACC417349AE20413112E6FA4E89A97EA20A9EEEE64B55D39A2192992A274FC1A836BA3C23A3FEEBBD454D4423643CE80E2A9AC94FA54CA49F',
    },
  },
  {
    source: 'RFC 2202',
    password: NOTHING,
    given: { algorithm: 'hmac-md5', encoding: hex, hash: '750c783e6ab0b503eaa86e310a5db738', ...jefe },
  },
  {
    source: 'RFC 2202',
    password: NOTHING,
    given: { algorithm: 'hmac-sha1', encoding: hex, hash: 'effcdf6ae5eb2fa2d27416d5f184df9c259a7c79', ...jefe },
  },
  {
    source: 'RFC 4231, message split into salt and password',
    password: 'for nothing?',
    given: {
      ...{ algorithm: 'hmac-sha256', encoding: hex, ...jefe },
      ...{ salt: 'd2hhdCBkbyB5YSB3YW50IA==', saltEncoding: 'base64', order: 'salt-first' },
      hash: '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    },
  },
  {
    source: 'RFC 4231',
    password: NOTHING,
    given: {
      ...{ algorithm: 'hmac-sha512', encoding: hex, ...jefe },
      hash: '164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737',
    },
  },
]
