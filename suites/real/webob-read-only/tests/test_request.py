# -*- coding: utf-8 -*-

import sys
import warnings

from io import (
    BytesIO,
    StringIO,
    )

import pytest

from webob.acceptparse import (
    AcceptCharsetInvalidHeader,
    AcceptCharsetNoHeader,
    AcceptCharsetValidHeader,
    AcceptEncodingInvalidHeader,
    AcceptEncodingNoHeader,
    AcceptEncodingValidHeader,
    AcceptInvalidHeader,
    AcceptLanguageInvalidHeader,
    AcceptLanguageNoHeader,
    AcceptLanguageValidHeader,
    AcceptNoHeader,
    AcceptValidHeader,
    )
from webob.compat import (
    MutableMapping,
    bytes_,
    native_,
    text_type,
    text_,
    )
from webob.multidict import NoVars


py2only = pytest.mark.skipif("sys.version_info >= (3, 0)")
py3only = pytest.mark.skipif("sys.version_info < (3, 0)")


class TestRequestCommon(object):
    # unit tests of non-bytes-vs-text-specific methods of request object
    def _getTargetClass(self):
        from webob.request import Request
        return Request

    def _makeOne(self, *arg, **kw):
        cls = self._getTargetClass()
        return cls(*arg, **kw)

    def _blankOne(self, *arg, **kw):
        cls = self._getTargetClass()
        return cls.blank(*arg, **kw)

    # body

    # JSON

    # .text

    # POST

    # GET

    # cookies

    # copy
    def test_copy_get(self):
        environ = {
            'HTTP_COOKIE': 'a=b',
        }
        req = self._blankOne('/', environ)
        clone = req.copy_get()
        for k, v in req.environ.items():
            if k in ('CONTENT_LENGTH', 'webob.is_body_seekable'):
                assert k not in clone.environ
            elif k == 'wsgi.input':
                assert clone.environ[k] is not v
            else:
                assert clone.environ[k] == v


    # is_body_seekable
    # make_body_seekable
    # copy_body
    # make_tempfile
    # remove_conditional_headers
    # accept

    # accept_charset

    # accept_encoding

    # accept_language

    # authorization

    # cache_control

    #if_match
    #if_none_match

    #date
    #if_modified_since
    #if_unmodified_since
    #if_range
    #max_forwards
    #pragma
    #range
    #referer
    #referrer
    #user_agent
    #__repr__
    #__str__
    #from_file

    #call_application

    #get_response

    #from_bytes

    #as_bytes


class TestBaseRequest(object):
    # tests of methods of a base request which are encoding-specific
    def _getTargetClass(self):
        from webob.request import BaseRequest
        return BaseRequest

    def _makeOne(self, *arg, **kw):
        cls = self._getTargetClass()
        return cls(*arg, **kw)

    def _blankOne(self, *arg, **kw):
        cls = self._getTargetClass()
        return cls.blank(*arg, **kw)

    # host

class TestLegacyRequest(object):
    # tests of methods of a bytesrequest which deal with http environment vars
    def _getTargetClass(self):
        from webob.request import LegacyRequest
        return LegacyRequest

    def _makeOne(self, *arg, **kw):
        cls = self._getTargetClass()
        return cls(*arg, **kw)

    def _blankOne(self, *arg, **kw):
        cls = self._getTargetClass()
        return cls.blank(*arg, **kw)

    # host

class TestRequestConstructorWarnings(object):
    def _getTargetClass(self):
        from webob.request import Request
        return Request

    def _makeOne(self, *arg, **kw):
        cls = self._getTargetClass()
        return cls(*arg, **kw)

class TestRequestWithAdhocAttr(object):
    def _blankOne(self, *arg, **kw):
        from webob.request import Request
        return Request.blank(*arg, **kw)

class TestRequest_functional(object):
    # functional tests of request
    def _getTargetClass(self):
        from webob.request import Request
        return Request

    def _makeOne(self, *arg, **kw):
        cls = self._getTargetClass()
        return cls(*arg, **kw)

    def _blankOne(self, *arg, **kw):
        cls = self._getTargetClass()
        return cls.blank(*arg, **kw)

    def test_params(self):
        req = self._blankOne('/?a=1&b=2')
        req.method = 'POST'
        req.body = b'b=3'
        assert list(req.params.items()) == [('a', '1'), ('b', '2'), ('b', '3')]
        new_params = req.params.copy()
        assert list(new_params.items()) == [('a', '1'), ('b', '2'), ('b', '3')]
        new_params['b'] = '4'
        assert list(new_params.items()) == [('a', '1'), ('b', '4')]
        # The key name is \u1000:
        req = self._blankOne('/?%E1%80%80=x')
        val = text_type(b'\\u1000', 'unicode_escape')
        assert val in list(req.GET.keys())
        assert req.GET[val] == 'x'

    def test_request_query_and_POST_vars(self):
        # port from doctest (docs/reference.txt)

        # Query & POST variables
        from webob.multidict import MultiDict
        from webob.multidict import NestedMultiDict
        from webob.multidict import GetDict
        req = self._blankOne('/test?check=a&check=b&name=Bob')
        GET = GetDict([('check', 'a'),
                      ('check', 'b'),
                      ('name', 'Bob')], {})
        assert req.GET == GET
        assert req.GET['check'] == 'b'
        assert req.GET.getall('check'), ['a' == 'b']
        assert list(req.GET.items()) == [('check', 'a'), ('check', 'b'), ('name', 'Bob')]

        assert isinstance(req.POST, NoVars)
        # NoVars can be read like a dict, but not written
        assert list(req.POST.items()) == []
        req.method = 'POST'
        req.body = b'name=Joe&email=joe@example.com'
        assert req.POST == MultiDict(
            [
                ('name', 'Joe'),
                ('email', 'joe@example.com')
            ]
        )
        assert req.POST['name'] == 'Joe'

        assert isinstance(req.params, NestedMultiDict)
        assert list(req.params.items()) == [
            ('check', 'a'),
            ('check', 'b'),
            ('name', 'Bob'),
            ('name', 'Joe'),
            ('email', 'joe@example.com')
        ]
        assert req.params['name'] == 'Bob'
        assert req.params.getall('name'), ['Bob' == 'Joe']

    @pytest.mark.filterwarnings('ignore:.*best_match.*')
    def test_request_put(self):
        from datetime import datetime
        from webob import Response
        from webob import UTC
        from webob.acceptparse import Accept
        from webob.byterange import Range
        from webob.etag import ETagMatcher
        from webob.multidict import MultiDict
        from webob.multidict import GetDict
        req = self._blankOne('/test?check=a&check=b&name=Bob')
        req.method = 'PUT'
        req.body = b'var1=value1&var2=value2&rep=1&rep=2'
        req.environ['CONTENT_LENGTH'] = str(len(req.body))
        req.environ['CONTENT_TYPE'] = 'application/x-www-form-urlencoded'
        GET = GetDict([('check', 'a'),
                      ('check', 'b'),
                      ('name', 'Bob')], {})
        assert req.GET == GET
        assert req.POST == MultiDict([
            ('var1', 'value1'),
            ('var2', 'value2'),
            ('rep', '1'),
            ('rep', '2')]
        )
        assert list(req.GET.items()) == [('check', 'a'), ('check', 'b'), ('name', 'Bob')]

        # Unicode
        req.charset = 'utf8'
        assert list(req.GET.items()) == [('check', 'a'), ('check', 'b'), ('name', 'Bob')]

        # Cookies
        req.headers['Cookie'] = 'test=value'
        assert isinstance(req.cookies, MutableMapping)
        assert list(req.cookies.items()) == [('test', 'value')]
        req.charset = None
        assert req.cookies == {'test': 'value'}

        # Accept-* headers
        assert 'text/html' in req.accept
        req.accept = 'text/html;q=0.5, application/xhtml+xml;q=1'
        assert isinstance(req.accept, Accept)
        assert 'text/html' in req.accept

        assert req.accept.best_match(['text/html', 'application/xhtml+xml']) == 'application/xhtml+xml'

        req.accept_language = 'es, pt-BR'
        assert req.accept_language.best_match(['es']) == 'es'

        # Conditional Requests
        server_token = 'opaque-token'
        # shouldn't return 304
        assert not server_token in req.if_none_match
        req.if_none_match = server_token
        assert isinstance(req.if_none_match, ETagMatcher)
        # You *should* return 304
        assert server_token in req.if_none_match
        # if_none_match should use weak matching
        weak_token = 'W/"%s"' % server_token
        req.if_none_match = weak_token
        assert req.headers['if-none-match'] == weak_token
        assert server_token in req.if_none_match

        req.if_modified_since = datetime(2006, 1, 1, 12, 0, tzinfo=UTC)
        assert req.headers['If-Modified-Since'] == 'Sun, 01 Jan 2006 12:00:00 GMT'
        server_modified = datetime(2005, 1, 1, 12, 0, tzinfo=UTC)
        assert req.if_modified_since
        assert req.if_modified_since >= server_modified

        assert not req.if_range
        assert Response(etag='some-etag', last_modified=datetime(2005, 1, 1, 12, 0)) in req.if_range
        req.if_range = 'opaque-etag'
        assert Response(etag='other-etag') not in req.if_range
        assert Response(etag='opaque-etag') in req.if_range

        res = Response(etag='opaque-etag')
        assert res in req.if_range

        req.range = 'bytes=0-100'
        assert isinstance(req.range, Range)
        assert tuple(req.range), (0 == 101)
        cr = req.range.content_range(length=1000)
        assert tuple(cr), (0, 101 == 1000)

        assert server_token in req.if_match
        # No If-Match means everything is ok
        req.if_match = server_token
        assert server_token in req.if_match
        # Still OK
        req.if_match = 'other-token'
        # Not OK, should return 412 Precondition Failed:
        assert server_token not in req.if_match

    def equal_req(self, req, inp):
        cls = self._getTargetClass()
        req2 = cls.from_file(inp)
        assert req.url == req2.url
        headers1 = dict(req.headers)
        headers2 = dict(req2.headers)
        assert int(headers1.get('Content-Length', '0')) == int(headers2.get('Content-Length', '0'))
        if 'Content-Length' in headers1:
            del headers1['Content-Length']
        if 'Content-Length' in headers2:
            del headers2['Content-Length']
        assert headers1 == headers2
        req_body = req.body
        req2_body = req2.body
        assert req_body == req2_body


class Test_cgi_FieldStorage__repr__patch(object):
    def _callFUT(self, fake):
        from webob.request import _cgi_FieldStorage__repr__patch
        return _cgi_FieldStorage__repr__patch(fake)


class TestLimitedLengthFile(object):
    def _makeOne(self, file, maxlen):
        from webob.request import LimitedLengthFile
        return LimitedLengthFile(file, maxlen)


class Test_environ_from_url(object):
    def _callFUT(self, *arg, **kw):
        from webob.request import environ_from_url
        return environ_from_url(*arg, **kw)

def simpleapp(environ, start_response):
    from webob.request import Request
    status = '200 OK'
    response_headers = [('Content-type', 'text/plain')]
    start_response(status, response_headers)
    request = Request(environ)
    request.remote_user = 'bob'
    return [bytes_(x) for x in [
        'Hello world!\n',
        'The get is %r' % request.GET,
        ' and Val is %s\n' % repr(request.GET.get('name')),
        'The languages are: %s\n' % ([o for o, _ in sorted(
            request.accept_language.parsed or (),
            key=lambda x: x[1],  # sort by quality
            reverse=True,
        )]),
        'The accepttypes is: %s\n' % ','.join([
            o for o, _ in request.accept.acceptable_offers([
                'application/xml', 'text/html',
            ])
        ]),
        'post is %r\n' % request.POST,
        'params is %r\n' % request.params,
        'cookies is %r\n' % request.cookies,
        'body: %r\n' % request.body,
        'method: %s\n' % request.method,
        'remote_user: %r\n' % request.environ['REMOTE_USER'],
        'host_url: %r; application_url: %r; path_url: %r; url: %r\n' % (
            request.host_url,
            request.application_url,
            request.path_url,
            request.url),
        'urlvars: %r\n' % request.urlvars,
        'urlargs: %r\n' % (request.urlargs, ),
        'is_xhr: %r\n' % request.is_xhr,
        'if_modified_since: %r\n' % request.if_modified_since,
        'user_agent: %r\n' % request.user_agent,
        'if_none_match: %r\n' % request.if_none_match,
        ]]

_cgi_escaping_body = '''--boundary
Content-Disposition: form-data; name="%20%22""


--boundary--'''

def _norm_req(s):
    return b'\r\n'.join(s.strip().replace(b'\r', b'').split(b'\n'))

_test_req = b"""
POST /webob/ HTTP/1.0
Accept: */*
Cache-Control: max-age=0
Content-Type: multipart/form-data; boundary=----------------------------deb95b63e42a
Host: pythonpaste.org
User-Agent: UserAgent/1.0 (identifier-version) library/7.0 otherlibrary/0.8

------------------------------deb95b63e42a
Content-Disposition: form-data; name="foo"

foo
------------------------------deb95b63e42a
Content-Disposition: form-data; name="bar"; filename="bar.txt"
Content-type: application/octet-stream

these are the contents of the file 'bar.txt'

------------------------------deb95b63e42a--
"""

_test_req_patch = b"""
PATCH /webob/ HTTP/1.1
Content-Length: 14
Content-Type: application/json

{"foo": "bar"}
"""

_test_req2 = b"""
POST / HTTP/1.0
Content-Length: 0

"""

_test_req_multipart_charset = b"""
POST /upload/ HTTP/1.1
Host: foo.com
User-Agent: Mozilla/5.0 (X11; U; Linux i686; en-US; rv:1.9.2.13) Gecko/20101206 Ubuntu/10.04 (lucid) Firefox/3.6.13
Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8
Accept-Language: en-US,en;q=0.8,ja;q=0.6
Accept-Encoding: gzip,deflate
Accept-Charset: ISO-8859-1,utf-8;q=0.7,*;q=0.7
Content-Type: multipart/form-data; boundary=000e0ce0b196b4ee6804c6c8af94
Content-Length: 926

--000e0ce0b196b4ee6804c6c8af94
Content-Type: text/plain; charset=ISO-2022-JP
Content-Disposition: form-data; name=title
Content-Transfer-Encoding: 7bit

\x1b$B$3$s$K$A$O\x1b(B
--000e0ce0b196b4ee6804c6c8af94
Content-Type: text/plain; charset=ISO-8859-1
Content-Disposition: form-data; name=submit

Submit
--000e0ce0b196b4ee6804c6c8af94
Content-Type: message/external-body; charset=ISO-8859-1; blob-key=AMIfv94TgpPBtKTL3a0U9Qh1QCX7OWSsmdkIoD2ws45kP9zQAGTOfGNz4U18j7CVXzODk85WtiL5gZUFklTGY3y4G0Jz3KTPtJBOFDvQHQew7YUymRIpgUXgENS_fSEmInAIQdpSc2E78MRBVEZY392uhph3r-In96t8Z58WIRc-Yikx1bnarWo
Content-Disposition: form-data; name=file; filename="photo.jpg"

Content-Type: image/jpeg
Content-Length: 38491
X-AppEngine-Upload-Creation: 2012-08-08 15:32:29.035959
Content-MD5: ZjRmNGRhYmNhZTkyNzcyOWQ5ZGUwNDgzOWFkNDAxN2Y=
Content-Disposition: form-data; name=file; filename="photo.jpg"


--000e0ce0b196b4ee6804c6c8af94--"""


_test_req = _norm_req(_test_req)
_test_req_patch = _norm_req(_test_req_patch)
_test_req2 = _norm_req(_test_req2) + b'\r\n'
_test_req_multipart_charset = _norm_req(_test_req_multipart_charset)

class UnseekableInput(object):
    def __init__(self, data):
        self.data = data
        self.pos = 0
    def read(self, size=-1):
        if size == -1:
            t = self.data[self.pos:]
            self.pos = len(self.data)
            return t
        else:
            if self.pos + size > len(self.data):
                size = len(self.data) - self.pos
            t = self.data[self.pos:self.pos + size]
            self.pos += size
            return t

class UnseekableInputWithSeek(UnseekableInput):
    def seek(self, pos, rel=0):
        raise IOError("Invalid seek!")


class _Helper_test_request_wrong_clen(object):
    def __init__(self, f):
        self.f = f
        self.file_ended = False

    def read(self, *args):
        r = self.f.read(*args)
        if not r:
            if self.file_ended:
                raise AssertionError("Reading should stop after first empty string")
            self.file_ended = True
        return r

    def seek(self, pos):
        pass
