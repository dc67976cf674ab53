%% RabbitMQ's own conversion code behind standard input and output. No broker runs.
%%
%% A line in:   SOURCE TARGET HEX [HEX]      protocols are amqp-1.0, amqp-0.9.1 and mqtt-5.0
%% A line out:  ok HEX [HEX]   or   error STAGE:CLASS:REASON FUNCTION DETAILS
%%
%% A message of AMQP 0.9.1 is two words, the property list of a content header and the payload ("-" stands for no bytes);
%% of AMQP 1.0 the encoded sections, of MQTT 5.0 a PUBLISH packet. Answers are the message before the broker adds what it
%% adds on delivery.
-module(oracle).

-include_lib("rabbitmq_mqtt/include/rabbit_mqtt_packet.hrl").

-export([start/0, convert_from/3]).
-export([limits/0, module/1, bytes/1, decode/2, encode/2]).  % for benchmarks/race.erl

-define(MQTT_EXCHANGE, <<"amq.topic">>).

start() ->
    limits(),
    read(open_port({fd, 0, 1}, [binary, eof]), <<>>).

%% rabbit_mqtt_packet reads these limits; the values are the broker's defaults.
limits() ->
    persistent_term:put(?PERSISTENT_TERM_MAX_PACKET_SIZE_UNAUTHENTICATED, 65536),
    persistent_term:put(?PERSISTENT_TERM_MAX_PACKET_SIZE_AUTHENTICATED, 268435455).

read(Port, Before) ->
    receive
        {Port, {data, Bytes}} ->
            Lines = binary:split(<<Before/binary, Bytes/binary>>, <<"\n">>, [global]),
            {Whole, [Rest]} = lists:split(length(Lines) - 1, Lines),
            true = port_command(Port, [[answer(Line), $\n] || Line <- Whole]),
            read(Port, Rest);
        {Port, eof} ->
            halt(0, [{flush, true}])
    end.

answer(Line) ->
    [Source, Target | Words] = binary:split(Line, <<" ">>, [global]),
    Input = [bytes(Word) || Word <- Words],
    From = module(Source),
    To = module(Target),
    step(decode, fun() -> decode(From, Input) end, fun(State) ->
    step(init, fun() -> mc:init(From, State, #{}, #{mqtt_x => ?MQTT_EXCHANGE}) end, fun(Message) ->
    step(convert, fun() -> mc:convert(To, Message, #{mqtt_x => ?MQTT_EXCHANGE}) end, fun(Converted) ->
    step(encode, fun() -> encode(To, element(3, Converted)) end, fun(Output) ->
        [<<"ok">> | [[$\s, word(Part)] || Part <- Output]]
    end) end) end) end).

%% Runs one stage and hands its value on, or says where it failed.
step(Stage, Do, Next) ->
    try Do() of
        Value -> Next(Value)
    catch
        Class:Reason:Stack ->
            Text = io_lib:format("error ~s:~s:~s ~s ~0tp", [Stage, Class, kind(Reason), place(Stack), Reason], [{chars_limit, 300}]),
            %% One line of ASCII, whatever the reason holds.
            [case C >= 32 andalso C < 127 of true -> C; false -> $? end || C <- lists:flatten(Text)]
    end.

%% The atom that a reason begins with.
kind(Reason) when is_tuple(Reason), tuple_size(Reason) > 0 -> kind(element(1, Reason));
kind(Reason) when is_atom(Reason) -> Reason;
kind(_) -> other.

%% The innermost function on the stack that is neither ours nor of the standard library.
place(Stack) ->
    Library = [?MODULE, erlang, binary, lists, string, maps, unicode, uri_string],
    case [Call || {Module, _, _, _} = Call <- Stack, not lists:member(Module, Library)] of
        [{Module, Function, _, _} | _] -> io_lib:format("~s:~s", [Module, Function]);
        [] -> "-"
    end.

module(<<"amqp-1.0">>) -> mc_amqp;
module(<<"amqp-0.9.1">>) -> mc_amqpl;
module(<<"mqtt-5.0">>) -> mc_mqtt.

bytes(<<"-">>) -> <<>>;
bytes(Hex) -> binary:decode_hex(Hex).

word(<<>>) -> <<"-">>;
word(Bytes) -> binary:encode_hex(Bytes, lowercase).

%% What each module's init takes: mc_amqp the sections themselves, the others what their parsers make.
decode(mc_amqp, [Sections]) ->
    Sections;
decode(mc_amqpl, [Properties, Payload]) ->
    rabbit_basic:build_content(rabbit_framing_amqp_0_9_1:decode_properties(60, Properties), Payload);
decode(mc_mqtt, [Packet]) ->
    {ok, #mqtt_packet{fixed = Fixed, variable = Variable, payload = Payload}, <<>>, _} = rabbit_mqtt_packet:parse(Packet, 5),
    #mqtt_packet_fixed{type = ?PUBLISH, qos = QoS, dup = Dup, retain = Retain} = Fixed,
    #mqtt_packet_publish{topic_name = Topic, packet_id = Id, props = Props} = Variable,
    #mqtt_msg{qos = QoS, dup = Dup, retain = Retain, topic = Topic, packet_id = Id, props = Props, payload = Payload}.

encode(mc_amqp, State) ->
    %% mc_amqp gives its sections to the module that it converts to, which is this one.
    [iolist_to_binary([amqp10_framing:encode_bin(Section) || Section <- mc_amqp:convert_to(?MODULE, State, #{})])];
encode(mc_amqpl, State) ->
    {Properties, Payload} = rabbit_basic:from_content(State),
    [iolist_to_binary(rabbit_framing_amqp_0_9_1:encode_properties(Properties)), Payload];
encode(mc_mqtt, #mqtt_msg{qos = QoS, dup = Dup, retain = Retain, props = Props, payload = Payload}) ->
    Fixed = #mqtt_packet_fixed{type = ?PUBLISH, qos = QoS, dup = Dup, retain = Retain},
    Variable = #mqtt_packet_publish{topic_name = <<"t">>, packet_id = 1, props = Props},
    [iolist_to_binary(rabbit_mqtt_packet:serialise(#mqtt_packet{fixed = Fixed, variable = Variable, payload = Payload}, 5))].

convert_from(mc_amqp, Sections, _Environment) ->
    Sections.
